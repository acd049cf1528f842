import { significant } from "@stowage/bench";
import { boundsOf, canonicalise, lower } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DIRECTIONS } from "../parts/host.mjs";

const MPIS = /^(openmpi|mpich)-[\d.]+$/;
const STEPS = 4_000;
const LINE_BYTES = 64;
const PEERS = fileURLToPath(new URL("../../results/epyc/peers.json", import.meta.url));

/** Terms of one row: a call, its blocks, its bytes, and the lines that its scattered side reaches over. */
function termsOf(row) {
  const { datatype, count } = workload(row.workload, { packedBytes: row.packedBytes });
  const layout = canonicalise(lower(datatype));
  const reach = boundsOf(datatype).trueExtentBytes + (count - 1) * Math.abs(boundsOf(datatype).extentBytes);
  const blocks = count * layout.root.blockCount;
  return [1, blocks, row.packedBytes, Math.min(blocks, reach / LINE_BYTES)];
}

const timeOf = (figures, terms) => terms.reduce((sum, term, i) => sum + term * figures[i], 0);
const errorOf = (figures, rows) =>
  rows.reduce((sum, { terms, ns }) => sum + Math.abs(Math.log(timeOf(figures, terms) / ns)), 0) / rows.length;

/** Figures of least mean error of logarithms, by steps of one figure at a time: none may be negative. */
function fitted(rows, steps) {
  let figures = [200, 5, 0.1, 1];
  let best = errorOf(figures, rows);
  for (let step = 0, size = 2; step < steps && size > 1.001; step++) {
    const tries = figures.flatMap((_, i) =>
      [size, 1 / size].map((by) => figures.map((figure, j) => (i === j ? figure * by : figure))),
    );
    const next = tries.map((each) => [errorOf(each, rows), each]).toSorted(([a], [b]) => a - b)[0];
    if (next[0] < best) [best, figures] = next;
    else size = Math.sqrt(size);
  }
  return { figures, error: Math.exp(best) };
}

export default {
  name: "native-model",
  question: "Which costs of a call, a block, a byte and a line come nearest to what the MPIs' own packing takes?",
  kind: "figures",
  options: { peers: { kind: "text", says: "a file of `stowage bench --peers`", byDefault: PEERS } },
  trial: {},
  *cells({ peers }) {
    const { rows } = JSON.parse(readFileSync(peers, "utf8"));
    for (const mpi of ["openmpi", "mpich"])
      for (const direction of DIRECTIONS) {
        const isOwn = (row) => MPIS.test(row.contender) && row.contender.startsWith(mpi) && row.direction === direction;
        yield { label: { workload: `${direction} of ${mpi}` }, mpi, measured: rows.filter(isOwn) };
      }
  },
  contenders: () => ({}),
  run(_, { mpi, measured }, __, { trial }) {
    const rows = measured.map((row) => ({ terms: termsOf(row), ns: row.medianNs }));
    const { figures, error } = fitted(rows, trial ? 1 : STEPS);
    const [callNs, blockNs, byteNs, lineNs] = figures.map((each) => Number(each.toPrecision(3)));
    return { [mpi]: { callNs, blockNs, byteNs, lineNs, withinFactor: error, fittedRows: rows.length } };
  },
  /** A line a model, in the form of the interposer's src/recording/native-model.ts. */
  text: (rows) =>
    rows
      .map(
        ({ workload: of, callNs, blockNs, byteNs, lineNs, withinFactor, fittedRows }) =>
          `${of}: [${[callNs, blockNs, byteNs, lineNs].join(", ")}], within ${significant(withinFactor)}x, ${fittedRows} rows`,
      )
      .join("\n"),
};
