// Fits what an MPI's own packing costs to measured rows: `node packages/interposer/bench/fit-native.mjs
// results/epyc/peers.json` prints, for each MPI and direction, the figures of src/recording/native-model.ts and how far
// measured rows lie from them.
import { boundsOf, canonicalise, lower } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { readFileSync } from "node:fs";

const MPIS = /^(openmpi|mpich)-[\d.]+$/;
const STEPS = 4_000;

/** Terms of one row: a call, its blocks, its bytes, and the lines that its scattered side reaches over. */
function termsOf(row) {
  const { datatype, count } = workload(row.workload, { packedBytes: row.packedBytes });
  const layout = canonicalise(lower(datatype));
  const reach = boundsOf(datatype).trueExtentBytes + (count - 1) * Math.abs(boundsOf(datatype).extentBytes);
  const blocks = count * layout.root.blockCount;
  return [1, blocks, row.packedBytes, Math.min(blocks, reach / 64)];
}

const timeOf = (figures, terms) => terms.reduce((sum, term, i) => sum + term * figures[i], 0);
const errorOf = (figures, rows) =>
  rows.reduce((sum, { terms, ns }) => sum + Math.abs(Math.log(timeOf(figures, terms) / ns)), 0) / rows.length;

/** Figures of least mean error of logarithms, by steps of one figure at a time: none may be negative. */
function fitted(rows) {
  let figures = [200, 5, 0.1, 1];
  let best = errorOf(figures, rows);
  for (let step = 0, size = 2; step < STEPS && size > 1.001; step++) {
    const tries = figures.flatMap((_, i) =>
      [size, 1 / size].map((by) => figures.map((figure, j) => (i === j ? figure * by : figure))),
    );
    const next = tries.map((each) => [errorOf(each, rows), each]).toSorted(([a], [b]) => a - b)[0];
    if (next[0] < best) [best, figures] = next;
    else size = Math.sqrt(size);
  }
  return { figures, error: Math.exp(best) };
}

const { rows } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const mpi of ["openmpi", "mpich"]) {
  for (const direction of ["pack", "unpack"]) {
    const own = rows
      .filter((row) => MPIS.test(row.contender) && row.contender.startsWith(mpi) && row.direction === direction)
      .map((row) => ({ terms: termsOf(row), ns: row.medianNs }));
    const { figures, error } = fitted(own);
    console.log(
      mpi,
      direction,
      figures.map((each) => Number(each.toPrecision(3))),
      `within ${error.toFixed(2)}x, ${own.length} rows`,
    );
  }
}
