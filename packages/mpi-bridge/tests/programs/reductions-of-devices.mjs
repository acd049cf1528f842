// Reductions of elements in a simulated device's memory; it computes with integers alone.
import { bytesOf, onDevice } from "./gpus.mjs";
import { predefined, vector } from "@stowage/ir";
import { IN_PLACE } from "@stowage/mpi-bridge";
import { check, equal, rank, size, world } from "./checks.mjs";

const ranks = Array.from({ length: size }, (_, i) => i);

for (const reductions of ["packed", "arriving"])
  check(`reductions of scattered elements, ${reductions}`, () => {
    const comm = world.dup({ reductions });
    // One int of every three.
    const datatype = vector(64, 1, 3, predefined("MPI_INT32_T"));
    const intsOf = (memory) => new Int32Array(bytesOf(memory).buffer);
    const filledWith = (value) => onDevice(new Uint8Array(Int32Array.from({ length: 192 }, (_, i) => value(i)).buffer));
    const elements = (buffer, count = 1) => ({ buffer, datatype, count });
    const inputOf = (of) => (i) => (of + 1) * i;
    const total = (i) => ranks.reduce((sum, r) => sum + inputOf(r)(i), 0);
    const expected = (value, around) => Array.from({ length: 190 }, (_, i) => (i % 3 === 0 ? value(i) : around(i)));
    const [from, into] = [filledWith(inputOf(rank)), filledWith(() => -1)];
    comm.allreduce(elements(from), elements(into));
    equal(
      intsOf(into).subarray(0, 190),
      expected(total, () => -1),
      "allreduce",
    );
    comm.scan(elements(from), elements(into));
    const before = (i) => ranks.slice(0, rank + 1).reduce((sum, r) => sum + inputOf(r)(i), 0);
    equal(
      intsOf(into).subarray(0, 190),
      expected(before, () => -1),
      "scan",
    );
    comm.iallreduce(IN_PLACE, elements(from)).wait();
    equal(intsOf(from).subarray(0, 190), expected(total, inputOf(rank)), "in place");
    const pairs = onDevice(new Uint8Array(16).fill(size - rank));
    const found = onDevice(new Uint8Array(16));
    const pair = (buffer) => ({ buffer, datatype: "MPI_DOUBLE_INT", count: 1 });
    comm.allreduce(pair(pairs), pair(found), { op: "maxloc" });
    equal(bytesOf(found).subarray(0, 12), new Uint8Array(12).fill(size), "pairs");
    comm.free();
  });
