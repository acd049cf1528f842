// A matrix that is spread by rows becomes its transpose, spread by rows: one alltoall. Each rank sends blocks as they
// lie, and receives each block column by column: the datatype turns it. mpirun -n 4 node
// packages/mpi-bridge/examples/transpose.mjs
import { contiguous, predefined, resized, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { world } = openMpi();
const { rank, size } = world;
const ROWS = 3; // of each rank
const n = ROWS * size;
const double = predefined("MPI_DOUBLE");

const mine = Float64Array.from({ length: ROWS * n }, (_, i) => (rank * ROWS + Math.floor(i / n)) * n + (i % n));
const turned = new Float64Array(ROWS * n);

/** ROWS x ROWS out of rows of n, so that the next block begins ROWS columns further. */
const block = resized(0, 8 * ROWS, vector(ROWS, ROWS, n, double));
/** The block's place in the target, filled a column at a time. */
const column = resized(0, 8, vector(ROWS, 1, n, double));
const blockByColumns = resized(0, 8 * ROWS, contiguous(ROWS, column));

world.alltoall(
  { buffer: mine, datatype: block, count: size },
  { buffer: turned, datatype: blockByColumns, count: size },
);

const wrong = turned.findIndex((value, i) => value !== (i % n) * n + rank * ROWS + Math.floor(i / n));
if (wrong >= 0) throw new Error(`transpose: element ${wrong}: got ${turned[wrong]}`);
const right = new Int32Array(1);
world.reduce(Int32Array.of(turned.length), right);
if (rank === 0) console.log(`transpose: ${n} x ${n} on ${size} ranks, ${right[0]} elements are where they belong`);
