// Every DDTBench row to MOST_BYTES packed, both ways, beside x64, the interpreter, loops in C by gcc -O3 and memcpy, at
// each optimisation level of LLVM: node packages/backend-llvm/bench/levels.mjs FILE [PATTERN] [ROUNDS] [MOST_BYTES]
// The packing part of Figures 3, 10 and 11 of Prabhu and Gropp (IJHPCA 2017), their Figure 15 (what optimisation costs
// and brings) and Figure 17a (uses that repay compiling, which `npx stowage report FILE` prints).
import { conditions } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { openLlvm } from "@stowage/llvm";
import { workload, workloadNames } from "@stowage/workloads";
import { openCell, verify } from "../../backend-x64/bench/cell.mjs";
import { measure } from "../../backend-x64/bench/measure.mjs";
import { writeResults } from "../../backend-x64/bench/results.mjs";
import { packMove, unpackMove } from "@stowage/backend-api";
import { LlvmBackend } from "../dist/index.js";

const [, , file = "results/epyc/llvm-levels.json", pattern = ".", roundsText = "7", mostText = "1048576"] =
  process.argv;
const DDTBENCH = /^(WRF|MILC|NAS|LAMMPS|SPECFEM3D|FFT2)/;
const LEVELS = [0, 1, 2, 3];
const USES = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** One commit, timed; LLVM itself is warm. */
function committed(backend, move) {
  const start = process.hrtime.bigint();
  const kernel = backend.load(backend.compile([move], conditions()));
  return { kernel, commitNs: Number(process.hrtime.bigint() - start) };
}

const backends = {
  cpu: new CpuBackend(),
  llvm: new LlvmBackend(),
  ...Object.fromEntries(LEVELS.map((level) => [`llvm-O${level}`, new LlvmBackend({ level })])),
};
const { layout: warmUp } = openCell("FFT2/1", undefined, "pack");
for (const backend of Object.values(backends)) committed(backend, packMove(warmUp)).kernel[Symbol.dispose]();

function rowsOf(name, direction) {
  const cell = openCell(name, undefined, direction);
  const move = direction === "pack" ? packMove(cell.layout) : unpackMove(cell.layout);
  const commits = { x64: cell.commitNs };
  const kernels = [];
  for (const [who, backend] of Object.entries(backends)) {
    const { kernel, commitNs } = committed(backend, move);
    kernels.push(kernel);
    commits[who] = commitNs;
    cell.contenders[who] = kernel.bind([cell.binding]);
  }
  const verified = verify(cell);
  const measured = measure(
    { ...cell.contenders, memcpy: cell.memcpy },
    { rounds: Number(roundsText), sampleNs: 100_000 },
  );
  for (const kernel of [...kernels, cell.kernel]) kernel[Symbol.dispose]();
  return Object.entries(measured).map(([contender, times]) => ({
    workload: name,
    count: cell.count,
    packedBytes: cell.packedBytes,
    direction,
    route: "host",
    contender,
    ...times,
    verified,
    ...(commits[contender] === undefined ? {} : { commitNs: commits[contender] }),
  }));
}

const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
const names = workloadNames().filter(
  (name) => DDTBENCH.test(name) && new RegExp(pattern).test(name) && workload(name).packedBytes <= Number(mostText),
);
const cells = names.flatMap((name) => ["pack", "unpack"].map((direction) => rowsOf(name, direction)));
const of = (cell, contender) => cell.find((row) => row.contender === contender);
const speed = (contender, over, figure) =>
  geometricMean(cells.map((cell) => of(cell, over)[figure] / of(cell, contender)[figure]));

for (const contender of ["x64", ...Object.keys(backends), "c-O3"]) {
  const over = (who) => speed(contender, who, "minNs").toFixed(3);
  const commits = cells.map((cell) => of(cell, contender).commitNs).filter((ns) => ns !== undefined);
  const commit = commits.length === 0 ? "" : `, commits ${(geometricMean(commits) / 1e6).toFixed(3)} ms`;
  console.log(
    `${contender.padEnd(8)} ${over("x64")} of x64, ${over("cpu")} of cpu, ${over("c-O3")} of c-O3 (of medians ${speed(contender, "x64", "medianNs").toFixed(3)} of x64)${commit}`,
  );
}
/** Of so many uses, who takes the least time over all rows, and of LLVM's levels which. */
const choices = USES.map((uses) => {
  const total = (who) => cells.reduce((sum, cell) => sum + of(cell, who).commitNs + uses * of(cell, who).medianNs, 0);
  const least = (whos) => whos.reduce((best, who) => (total(who) < total(best) ? who : best));
  const levels = ["llvm", ...LEVELS.map((level) => `llvm-O${level}`)];
  return {
    uses,
    ofAll: least(["x64", ...Object.keys(backends)]),
    withoutX64: least(Object.keys(backends)),
    ofLevels: least(levels),
  };
});
for (const { uses, ofAll, withoutX64, ofLevels } of choices)
  console.log(`${uses} uses: ${ofAll}; without x64 ${withoutX64}; of LLVM's levels ${ofLevels}`);
writeResults(file, cells.flat(), { llvm: openLlvm().version, choices });
