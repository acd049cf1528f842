// Loops, and entries of lists, whose last block ends where the next copy begins, with and without joinAcrossIterations
// and joinWithinBlocks, interleaved, as JSON:
// node packages/backend-x64/bench/joined-iterations.mjs > results/epyc/joined-iterations.json (after npm run build); an
// argument names some of them.
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import {
  applyPass,
  canonicalise,
  contiguous,
  hindexed,
  hvector,
  indexed,
  lower,
  PASSES,
  predefined,
  resized,
} from "@stowage/ir";
import { median } from "./measure.mjs";

const ROUNDS = 40;
const SAMPLE_NS = 200e3;
const [double, int, byte] = ["MPI_DOUBLE", "MPI_INT", "MPI_BYTE"].map(predefined);
const loop = (extent, blocklengths, displacements, child) => (count) =>
  contiguous(count, resized(0, extent, hindexed(blocklengths, displacements, child)));
const pair = loop(24, [1, 1], [0, 16], double);
const unequal = loop(32, [1, 3], [0, 20], int);
const four = loop(24, [1, 2, 1], [0, 8, 20], int);

/**
 * Entries at irregular places, in order, of as many copies each as `copiesOf` says of the entry, `count` copies in all.
 */
function listOf(element, copiesOf) {
  return (count) => {
    const [copies, places] = [[], []];
    for (let i = 0, at = 0, left = count; left > 0; i++) {
      copies.push(Math.min(left, copiesOf(i)));
      places.push(at);
      at += copies[i] + 1 + ((i * i * 7) % 3);
      left -= copies[i];
    }
    return indexed(copies, places, element(1));
  };
}
const oneOrTwo = (i) => 1 + (((i * i * 31 + i * 17) >> 3) & 1);
const LOOPS = {
  "doubles at 0, 16 in 24": pair,
  "doubles at 0, 56 in 64": loop(64, [1, 1], [0, 56], double),
  "doubles at 0, 4088 in 4096": loop(4096, [1, 1], [0, 4088], double),
  "bytes at 0, 2 in 3": loop(3, [1, 1], [0, 2], byte),
  "ints at 0, 20 to 31 in 32": unequal,
  "8 doubles at 0, 192 in 256": loop(256, [8, 8], [0, 192], double),
  "ints at 0, 8, 12, 20 in 24": four,
  "4 runs in 64": loop(64, [2, 1, 1, 2], [0, 16, 40, 56], int),
  "8 runs in 80": loop(80, [1, 1, 1, 1, 1, 1, 1, 1], [0, 6, 18, 24, 34, 44, 52, 76], int),
  "rows of 500 pairs of doubles": (count) => hvector(count / 500, 1, 16384, pair(500)),
  "rows of 4, ints at 0, 20 to 31 in 32": (count) => hvector(count / 4, 1, 192, unequal(4)),
  "rows of 20, ints at 0, 8, 12, 20 in 24": (count) => hvector(count / 20, 1, 640, four(20)),
  "entries of 2, ints at 0, 20 to 31 in 32": listOf(unequal, () => 2),
  "entries of 8, ints at 0, 20 to 31 in 32": listOf(unequal, () => 8),
  "entries of 4, ints at 0, 8, 12, 20 in 24": listOf(four, () => 4),
  "entries of 1 or 2, doubles at 0, 16 in 24": listOf(pair, oneOrTwo),
  "entries of 1 or 2, bytes at 0, 2 in 3": listOf(loop(3, [1, 1], [0, 2], byte), oneOrTwo),
};
const FORMS = { apart: withoutJoins, joined: canonicalise };
const BACKENDS = { x64: new X64Backend(), cpu: new CpuBackend() };

/** What canonicalise gives without the passes. */
function withoutJoins(layout) {
  const passes = PASSES.filter(({ name }) => !/^join(AcrossIterations|WithinBlocks)$/.test(name));
  for (let before; before !== layout;) {
    before = layout;
    for (const pass of passes) layout = applyPass(pass, layout);
  }
  return layout;
}

const bytes = (count, factor) => Uint8Array.from({ length: count }, (_, i) => i * factor + (i >> 8));

function bound(backend, layout, direction, packed, scattered) {
  const [move, from, to] =
    direction === "pack" ? [packMove(layout), scattered, packed] : [unpackMove(layout), packed, scattered];
  const kernel = backend.load(backend.compile([move], conditions()));
  const [source, target] = [from, to].map((view) => ({ memory: hostMemory(view), originBytes: 0 }));
  const plan = kernel.bind([{ source, target, count: 1, first: 0, length: layout.sizeBytes }]);
  return { run: () => plan.run(), written: () => Buffer.from(to).toString("latin1") };
}

function timeNs(run, calls) {
  const begin = performance.now();
  for (let i = 0; i < calls; i++) run();
  return ((performance.now() - begin) * 1e6) / calls;
}

function rowOf(loopName, backendName, count, direction) {
  const layout = lower(LOOPS[loopName](count));
  const [packed, scattered] = [bytes(layout.sizeBytes, 7), bytes(layout.trueExtentBytes, 13)];
  const plans = Object.values(FORMS).map((form) =>
    bound(BACKENDS[backendName], form(layout), direction, packed, scattered),
  );
  const written = plans.map(({ run, written: read }) => (run(), read()));
  if (written[0] !== written[1]) throw new Error(`${loopName}: expected the same bytes of both forms, got others`);
  const calls = Math.max(3, Math.round(SAMPLE_NS / timeNs(plans[0].run, 3)));
  for (const { run } of plans) timeNs(run, 5 * calls);
  const samples = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      plans[i].run();
      samples[i].push(timeNs(plans[i].run, calls));
    }
  }
  const [apartNs, joinedNs] = samples.map(median);
  return { loop: loopName, backend: backendName, count, direction, apartNs, joinedNs, verified: true };
}

const [, , pattern = "."] = process.argv;
const names = Object.keys(LOOPS).filter((name) => new RegExp(pattern).test(name));
const rows = names.flatMap((loopName) =>
  Object.entries({ x64: [1000, 100_000], cpu: [1000] }).flatMap(([backendName, counts]) =>
    counts.flatMap((count) => ["pack", "unpack"].map((direction) => rowOf(loopName, backendName, count, direction))),
  ),
);
const command = ["node", "packages/backend-x64/bench/joined-iterations.mjs"].join(" ");
console.log(JSON.stringify({ command, date: new Date().toISOString(), node: process.version, rows }, null, 1));
