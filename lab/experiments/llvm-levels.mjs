import { CpuBackend } from "@stowage/backend-cpu";
import { LlvmBackend } from "@stowage/backend-llvm";
import { grouped, meanOf } from "@stowage/bench";
import { openLlvm } from "@stowage/llvm";
import { workload, workloadNames } from "@stowage/workloads";
import { backendOn, DIRECTIONS, memcpyOn, plainCOn, workloadOn, x64On } from "../parts/host.mjs";
import { timesText } from "../dist/times-text.js";

const DDTBENCH = /^(WRF|MILC|NAS|LAMMPS|SPECFEM3D|FFT2)/;
const LEVELS = [0, 1, 2, 3].map((level) => `llvm-O${level}`);
const USES = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** Who takes the least time over all cells, for each number of uses. */
function leastText(rows) {
  const total = (who, uses) =>
    rows.filter(({ contender }) => contender === who).reduce((sum, row) => sum + row.commitNs + uses * row.medianNs, 0);
  const least = (whos, uses) => whos.reduce((best, who) => (total(who, uses) < total(best, uses) ? who : best));
  return USES.map((uses) => {
    const [ofAll, without, ofLevels] = [
      ["x64", "cpu", "llvm", ...LEVELS],
      ["cpu", "llvm", ...LEVELS],
      ["llvm", ...LEVELS],
    ].map((whos) => least(whos, uses));
    return `${uses} uses: ${ofAll}; without x64 ${without}; of LLVM's levels ${ofLevels}`;
  }).join("\n");
}

function commitsText(rows) {
  const commits = [...grouped(rows.filter(({ commitNs }) => commitNs > 0), ({ contender }) => contender)]; // prettier-ignore
  const means = commits.map(([who, own]) => [who, meanOf(own.map(({ commitNs }) => commitNs)).geometricMean]);
  return means.map(([who, ns]) => `${who} commits in ${(ns / 1e6).toFixed(3)} ms`).join("\n");
}

export default {
  name: "llvm-levels",
  question:
    "What does LLVM bring at each level of optimisation, beside x64, the interpreter and C? (Prabhu and Gropp 2017, figures 3, 10, 11, 15, 17a)",
  kind: "moves",
  options: {
    pattern: { kind: "text", says: "workloads whose names match", byDefault: "." },
    rounds: { kind: "number", says: "samples", byDefault: 7 },
    most: { kind: "number", says: "packed bytes at most", byDefault: 2 ** 20 },
  },
  trial: { pattern: "^FFT2/1$", rounds: 1, most: 2 ** 20 },
  sampling: ({ rounds }) => ({ budgetMs: 0, rounds, sampleUs: 100, warmUpMs: 2 }),
  *cells({ pattern, most }, lab) {
    lab.note({ llvm: openLlvm().version });
    const backends = {
      cpu: new CpuBackend(),
      llvm: new LlvmBackend(),
      ...Object.fromEntries(LEVELS.map((name, level) => [name, new LlvmBackend({ level })])),
    };
    // LLVM is warm before a commit is timed.
    const warm = workloadOn("FFT2/1", undefined, "pack");
    for (const backend of Object.values(backends)) backendOn(warm, backend)[Symbol.dispose]();
    for (const name of workloadNames()) {
      const isOurs = DDTBENCH.test(name) && new RegExp(pattern).test(name);
      if (!isOurs || workload(name).packedBytes > most) continue;
      for (const direction of DIRECTIONS) yield { ...workloadOn(name, undefined, direction), backends };
    }
  },
  contenders: (cell) => ({
    x64: x64On(cell),
    ...Object.fromEntries(Object.entries(cell.backends).map(([name, backend]) => [name, backendOn(cell, backend)])),
    "c-O3": plainCOn(cell),
    memcpy: memcpyOn(cell),
  }),
  text: (rows) => [timesText(rows), commitsText(rows), leastText(rows)].join("\n\n"),
};
