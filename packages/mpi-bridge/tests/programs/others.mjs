// One rank beside another that is no program of this package, others-peer.c or others-peer.py:
// others.mjs window|file|reduction PATH any|ours [LIMIT_MS]. "ours" says nothing of the other rank, which is told in a
// line once the time limit is over.
import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const double = predefined("MPI_DOUBLE");
const [what, path, peers, limitMs] = process.argv.slice(2);
const mpi = openMpi();
const { world } = mpi;
const { rank } = world;
const other = 1 - rank;
if (limitMs !== undefined) world.settings = { timeoutMs: Number(limitMs) };

function expect(name, got, expected) {
  if (got.join() !== expected.join()) throw new Error(`${name}: expected ${expected}, got ${got}`);
}

const WORKS = {
  window() {
    const held = new Float64Array(4);
    const got = new Float64Array(2);
    const window = mpi.createWindow(world, held, { unitBytes: 8, peers });
    window.fence();
    window.put(Float64Array.of(20, 21), other, { displacement: 1 });
    window.fence();
    expect("put", held.subarray(1), [10, 11, 0]);
    window.accumulate(Float64Array.of(20), other);
    window.fence({ last: true });
    expect("accumulate", held, [10, 10, 11, 0]);
    world.barrier();
    window.lock(other);
    window.get(got, other, { displacement: 1 });
    window.unlock(other);
    expect("get", got, [20, 21]);
    world.barrier();
    window.free();
  },
  file() {
    const own = Float64Array.from({ length: 4 }, (_, i) => 100 * rank + i);
    const got = new Float64Array(4);
    const file = mpi.openFile(world, path, { mode: "rw", peers });
    const every = vector(4, 1, 2, double);
    file.setView({ displacementBytes: 8 * rank, etype: double, filetype: every });
    file.writeAtAll(0, own);
    file.sync();
    world.barrier();
    file.setView({ displacementBytes: 8 * other, etype: double, filetype: every });
    file.readAtAll(0, got);
    file.close();
    expect(
      "read",
      got,
      own.map((each) => each + 100 * (other - rank)),
    );
  },
  reduction() {
    // One that some releases of this MPI do wrong, so that an operation of ours takes its place.
    const [datatype, op] = mpi.mpi.family === "mpich" ? ["MPI_UNSIGNED_CHAR", "max"] : ["MPI_INT16_T", "sum"];
    if (peers === "any") world.settings = { operations: "mpi" };
    const array = (values) => (op === "max" ? Uint8Array.from(values) : Int16Array.from(values));
    const [own, got] = [array([7, 3]), array([0, 0])];
    world.allreduce({ buffer: own, datatype, count: 2 }, { buffer: got, datatype, count: 2 }, { op });
    expect("allreduce", got, op === "max" ? [7, 9] : [14, 12]);
  },
};

try {
  WORKS[what]();
  console.log(`Node: ${what} is right`);
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
  process.exitCode = 3;
}
