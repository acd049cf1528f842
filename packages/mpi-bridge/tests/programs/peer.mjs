// One end of messages whose other end is no Node program: sends each type natively and packed by ours, to a peer that
// receives by its own datatype and sends them back by that datatype and by MPI_Pack.
import { ANY_SOURCE } from "@stowage/mpi-bridge";
import { contiguous, indexed, predefined, struct, vector } from "@stowage/ir";
import { hostMemory } from "@stowage/backend-api";
import { check, equal, mpi, rank, report, world } from "./checks.mjs";
import { COUNT, filled, ORIGIN } from "./elements.mjs";

const [double, int, char] = ["MPI_DOUBLE", "MPI_INT", "MPI_CHAR"].map(predefined);
const TYPES = [
  contiguous(3, double),
  vector(4, 2, 3, double),
  indexed([2, 1, 3], [5, 0, 9], int),
  struct([1, 2, 3], [0, 8, 20], [int, int, char]),
];
const other = rank ^ 1;

/** What a buffer holds once it received elements of another. */
function expected(type, seed) {
  const [target, packed] = [filled(99), new Uint8Array(COUNT * type.sizeBytes)];
  type.committed.pack({ memory: hostMemory(filled(seed)), originBytes: ORIGIN }, packed, { count: COUNT });
  type.committed.unpack(packed, { memory: hostMemory(target), originBytes: ORIGIN }, { count: COUNT });
  return target;
}

for (const route of ["native", "packed"]) {
  for (const [which, datatype] of TYPES.entries()) {
    check(`type ${which}, ${route}`, () => {
      const type = mpi.commit(datatype, { route });
      const elements = (bytes) => ({
        buffer: { memory: hostMemory(bytes), originBytes: ORIGIN },
        datatype: type,
        count: COUNT,
      });
      world.send(elements(filled(5 + which)), other, { tag: which });
      for (const how of ["by its datatype", "by MPI_Pack"]) {
        const into = filled(99);
        const probed = world.probe(ANY_SOURCE, { tag: which });
        equal([probed.source, probed.count(type)], [other, COUNT], how);
        const status = world.recv(elements(into), ANY_SOURCE, { tag: which });
        equal([status.source, status.sizeBytes], [other, COUNT * type.sizeBytes], how);
        equal(into, expected(type, 5 + which), how);
      }
      type[Symbol.dispose]();
    });
  }
}
check("a reduction with the peer", () => {
  world.settings = {};
  const sum = new Int32Array(1);
  world.allreduce(Int32Array.of(1), sum);
  equal(sum[0], 2);
});
report();
