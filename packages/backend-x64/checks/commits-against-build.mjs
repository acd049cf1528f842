// Time to commit each golden type and workload by this build and by another one, in turns move by move, the least of
// each:
// node packages/backend-x64/checks/commits-against-build.mjs DIR [ROUNDS]. DIR: another build of this package.
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
      tuning: {
        ...DEFAULT_TUNING,
        limitSetConflicts: true,
        paddedConflicts: true,
        fencedConflicts: true,
        paddedBlocks: true,
      },
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

/**
 * The least nanoseconds that each build takes for each move: builds take turns move by move, so that other work falls
 * on both.
 */
function leastOf(what) {
  for (const backend of backends) for (let i = 0; i < 4; i++) for (const move of moves) commit(backend, what, move);
  const least = moves.map(() => backends.map(() => Infinity));
  for (let round = 0; round < Number(rounds); round++) {
    moves.forEach((move, k) => {
      for (let turn = 0; turn < backends.length; turn++) {
        const i = (turn + round) % backends.length;
        least[k][i] = Math.min(least[k][i], commit(backends[i], what, move));
      }
    });
  }
  return least;
}

function commit(backend, what, move) {
  const start = process.hrtime.bigint();
  backend[what](move, "avx2", backend.tuning, backend.options);
  return Number(process.hrtime.bigint() - start);
}

const sum = (list) => list.reduce((total, each) => total + each, 0);

for (const [title, what] of [
  ["code for first calls", "fullProgram"],
  ["whole programs", "program"],
]) {
  const least = leastOf(what);
  const [now, before] = [0, 1].map((i) => sum(least.map((each) => each[i])));
  const mean = Math.exp(sum(least.map(([a, b]) => Math.log(a / b))) / moves.length);
  const micros = (ns) => (ns / moves.length / 1000).toFixed(1);
  console.log(
    `${title}: ${micros(now)} us a move, before ${micros(before)}; ratio of sums ${(now / before).toFixed(3)}, mean ratio ${mean.toFixed(3)}`,
  );
}
