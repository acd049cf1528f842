// Jacobi steps on a ring of ranks: each holds rows of a grid and two ghost rows; its ends travel as rows of a matrix
// whose columns are ghosts too. mpirun -n 4 node packages/mpi-bridge/examples/halo.mjs
import { predefined, resized, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { world, requests } = openMpi();
const ring = world.createCart([world.size], { periods: [true] });
const { source: above, dest: below } = ring.shift(0);

const [ROWS, COLUMNS, FIELDS] = [6, 8, 2];
const width = COLUMNS * FIELDS;
/** Two fields beside each other at each point; only the first travels. */
const grid = new Float64Array((ROWS + 2) * width);
const at = (row, column) => row * width + column * FIELDS;
const field = resized(0, 8 * width, vector(COLUMNS, 1, FIELDS, predefined("MPI_DOUBLE")));
const row = (i) => ({ buffer: grid.subarray(i * width), datatype: field, count: 1 });

for (let i = 1; i <= ROWS; i++) for (let j = 0; j < COLUMNS; j++) grid[at(i, j)] = ring.rank;

const exchange = [
  ring.recvInit(row(0), above, { tag: 1 }),
  ring.recvInit(row(ROWS + 1), below, { tag: 2 }),
  ring.sendInit(row(ROWS), below, { tag: 1 }),
  ring.sendInit(row(1), above, { tag: 2 }),
];
for (let step = 0; step < 3; step++) {
  requests.startAll(exchange);
  requests.waitAll(exchange);
  const before = grid.slice();
  for (let i = 1; i <= ROWS; i++)
    for (let j = 0; j < COLUMNS; j++) grid[at(i, j)] = (before[at(i - 1, j)] + before[at(i + 1, j)]) / 2;
}
for (const request of exchange) request.free();

// A step takes the mean of two neighbours: on a ring the sum over all rows stays.
let own = 0;
for (let i = 1; i <= ROWS; i++) own += grid[at(i, 0)];
const sum = new Float64Array(1);
ring.allreduce(Float64Array.of(own), sum);
if (ring.rank === 0) console.log(`halo: ${world.size} ranks, a column sums to ${sum[0]}`);
ring.free();
