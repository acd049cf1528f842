// Short blocks in lines of their own, by options that only Zen 5 sets: without prefetches of what lies in L2, and by
// rounds of 32:
// node packages/backend-x64/bench/sparse-blocks.mjs FILE [ROUNDS]
import { packMove, unpackMove } from "@stowage/backend-api";
import { dense, forEachRun, layout, stream } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

const [, , file = "results/epyc/sparse-blocks.json", rounds = "21"] = process.argv;
const PAGE_BYTES = 4096;
const MOST_ARRAY_BYTES = 2 ** 30;

/**
 * Blocks of `block` bytes each `stride`: `count` of them in each of `rows`, a little over twice as far apart as they
 * are long.
 */
const rowsOf = (rows, count, block, stride) =>
  stream(rows, Math.ceil((2 * count * stride) / PAGE_BYTES) * PAGE_BYTES + 192, stream(count, stride, dense(block)));

const inRows = (name, root, l2) => ({ name, root, l2 });
const far = ["20/1000", "40/3240", "40/32840", "32/600", "8/4104", "64/840"];
const near = ["12/64", "16/64", "16/128", "20/200", "32/64", "32/100", "32/128", "32/328", "32/1000"];
const pairs = (shapes) => shapes.map((shape) => shape.split("/").map(Number));

const EXPERIMENTS = {
  prefetches: {
    before: { prefetchEntries: 16, prefetchL2: true },
    after: { prefetchEntries: 16, prefetchL2: false },
    directions: ["pack"],
    cells: pairs(far).flatMap(([block, stride]) =>
      [1000, 2000, 4000, 8000, 16_000, 64_000].map((count) =>
        inRows(`${count} of ${block} in ${stride} bytes`, stream(count, stride, dense(block)), count <= 8192),
      ),
    ),
  },
  rounds: {
    before: { longRoundsInL2: false },
    after: { longRoundsInL2: true },
    directions: ["pack", "unpack"],
    cells: pairs(near).flatMap(([block, stride]) =>
      [
        [16, 64],
        [64, 64],
        [32, 128],
        [8, 1000],
        [128, 128],
      ].map(([count, inRow]) =>
        inRows(`${count} rows of ${inRow} of ${block} in ${stride} bytes`, rowsOf(count, inRow, block, stride), true),
      ),
    ),
  },
};

/** Plans of both contenders over the same buffers; throws where one moves other bytes than a walk over the runs. */
function contendersOf({ before, after }, what, root, direction) {
  const type = layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
  const [scattered, packed] = [lineAligned(root.highBytes), lineAligned(root.sizeBytes)];
  const [source, target] = direction === "pack" ? [scattered, packed] : [packed, scattered];
  for (let i = 0; i < source.length; i += 8) source[i] = source[i + 3] = (i * 131 + (i >> 8)) & 255;
  const want = new Uint8Array(target.length);
  let at = 0;
  forEachRun(type, { count: 1, first: 0, length: root.sizeBytes }, (offset, length) => {
    if (direction === "pack") want.set(source.subarray(offset, offset + length), at);
    else want.set(source.subarray(at, at + length), offset);
    at += length;
  });
  const move = direction === "pack" ? packMove(type) : unpackMove(type);
  return plansOfOptions({ before, after }, { what, move, count: 1, source, target, want });
}

const rows = [];
const summary = {};
for (const [name, experiment] of Object.entries(EXPERIMENTS)) {
  for (const direction of experiment.directions) {
    const ratios = [];
    for (const { name: what, root, l2 } of experiment.cells.filter((cell) => cell.root.highBytes <= MOST_ARRAY_BYTES)) {
      const measured = measure(contendersOf(experiment, what, root, direction), { rounds: Number(rounds) });
      const workload = `${name}: ${what}`;
      rows.push(...rowsOfCell({ workload, count: 1, packedBytes: root.sizeBytes, direction }, measured));
      const ratio = measured.before.medianNs / measured.after.medianNs;
      if (l2) ratios.push(ratio);
      console.log(`${name}, ${direction}, ${what}: ${ratio.toFixed(2)}`);
    }
    summary[`${name}, ${direction}`] = summarise(ratios);
  }
}
console.log(JSON.stringify(summary));
writeResults(file, rows, { level: probeMachine().machine.level });
