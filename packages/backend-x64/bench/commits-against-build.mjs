// Processor time to commit each golden type and workload by this build and by another one, in turns in one process:
// node packages/backend-x64/bench/commits-against-build.mjs DIR [ROUNDS]. DIR: another build of this package.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packMove, unpackMove } from "@stowage/backend-api";
import { canonicalise, lower, parseDatatypeText } from "@stowage/ir";
import { workload, workloadNames } from "@stowage/workloads";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const [, , directory, rounds = "15"] = process.argv;
const load = (build, path) => import(`${resolve(build)}/dist/${path}.js`);
const backends = await Promise.all(
  [`${root}/packages/backend-x64`, directory].map(async (build) => {
    const [{ program, fullProgram }, { DEFAULT_TUNING }, shared] = await Promise.all([
      load(build, "lower/program"),
      load(build, "options"),
      load(build, "lower/assembler-session").catch(() => undefined),
    ]);
    const session = shared === undefined ? undefined : new shared.AssemblerSession();
    return {
      program,
      fullProgram,
      tuning: { ...DEFAULT_TUNING, limitSetConflicts: true, paddedBlocks: true },
      options: { session },
    };
  }),
);

const golden = readFileSync(`${root}/packages/cli/golden/openmpi-4.1.4.jsonl`, "utf8").trim().split("\n");
const layouts = [
  ...golden.map((line) => lower(parseDatatypeText(JSON.stringify(JSON.parse(line).type)))),
  ...workloadNames().map((name) => lower(workload(name).datatype)),
].map((each) => canonicalise(each));
const moves = layouts.flatMap((each) => [packMove(each), unpackMove(each)]);

/** Processor time: others may use the machine meanwhile. */
const processorNs = () => process.cpuUsage().user * 1000;

/** Nanoseconds of all commits: of what first calls need, and of whole programs. */
function timesOf({ program, fullProgram, tuning, options }) {
  const start = processorNs();
  for (const move of moves) fullProgram(move, "avx2", tuning, options);
  const middle = processorNs();
  for (const move of moves) program(move, "avx2", tuning, options);
  return [middle - start, processorNs() - middle];
}

for (const backend of backends) for (let i = 0; i < 3; i++) timesOf(backend);
const times = backends.map(() => [[], []]);
for (let round = 0; round < Number(rounds); round++) {
  const order = round % 2 === 0 ? [0, 1] : [1, 0];
  for (const i of order) timesOf(backends[i]).forEach((ns, what) => times[i][what].push(ns));
}
const figures = (list) => {
  const sorted = list.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0] };
};
["code for first calls", "whole programs"].forEach((what, k) => {
  const [now, before] = times.map((each) => figures(each[k]));
  const micros = (ns) => (ns / moves.length / 1000).toFixed(1);
  console.log(
    `${what}: ${micros(now.median)} us a move (least ${micros(now.least)}), before ${micros(before.median)} (${micros(before.least)}); ` +
      `ratio of medians ${(now.median / before.median).toFixed(3)}, of least ${(now.least / before.least).toFixed(3)}`,
  );
});
