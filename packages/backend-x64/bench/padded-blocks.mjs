// Short blocks out of cache, as they stand and with NOP padding for several numbers of fill buffers; and in more pages
// than the dTLB reaches: node packages/backend-x64/bench/padded-blocks.mjs FILE [ROUNDS]
import { packMove, unpackMove } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

const [, , file = "results/epyc/padded-blocks.json", rounds = "9"] = process.argv;
const { machine } = probeMachine();
const FILL_BUFFERS = [24, 36, 48, 64];
const padded = (fillBuffers) => ({ target: { ...machine.target, fillBuffers }, paddedBlocks: true, paddedPages: true });
const OPTIONS = {
  plain: { paddedBlocks: false, paddedPages: false },
  ...Object.fromEntries(FILL_BUFFERS.map((count) => [`padded for ${count}`, padded(count)])),
};
/** Blocks, their bytes and their stride. The first are of 16 MiB packed, the others in many pages. */
const SHAPES = [
  ...[12, 20, 40, 92].flatMap((bytes) =>
    [96, 128, 320, 1000]
      .filter((stride) => stride > bytes)
      .map((stride) => [Math.round(2 ** 24 / bytes), bytes, stride]),
  ),
  ...[6144, 6560, 16_400, 40_880].map((stride) => [8192, 16, stride]),
].filter(([count, , stride]) => count * stride <= 2 ** 30);

const out = [];
const ratios = {};
for (const [count, bytes, stride] of SHAPES) {
  const type = layout(0, stream(count, stride, dense(bytes)), { lowerBoundBytes: 0, extentBytes: count * stride });
  const [scattered, packed] = [lineAligned(count * stride), lineAligned(count * bytes)];
  for (let i = 0; i < packed.length; i++) packed[i] = (i * 131 + (i >> 8)) & 255;
  for (let i = 0; i < count; i++) scattered.set(packed.subarray(i * bytes, (i + 1) * bytes), i * stride);
  for (const direction of ["pack", "unpack"]) {
    const [source, from] = direction === "pack" ? [scattered, packed] : [packed, scattered];
    const target = lineAligned(from.length);
    const move = (direction === "pack" ? packMove : unpackMove)(type);
    const workload = `${count} blocks of ${bytes} at ${stride}`;
    const plans = plansOfOptions(OPTIONS, { what: workload, move, count: 1, source, target, want: from });
    const measured = measure(plans, { rounds: Number(rounds) });
    out.push(...rowsOfCell({ workload, count: 1, packedBytes: type.sizeBytes, direction }, measured));
    const group = `${count === 8192 ? "pages" : "16 MiB"}, ${direction}`;
    const speedUps = FILL_BUFFERS.map((each) => {
      const speedUp = measured.plain.medianNs / measured[`padded for ${each}`].medianNs;
      ((ratios[group] ??= {})[each] ??= []).push(speedUp);
      return `${each}: ${speedUp.toFixed(2)}`;
    });
    console.log(`${workload}, ${direction}: padding over none, fill buffers ${speedUps.join(", ")}`);
  }
}
for (const [group, each] of Object.entries(ratios))
  for (const [count, values] of Object.entries(each))
    console.log(`${group}, ${count} fill buffers: ${JSON.stringify(summarise(values))}`);
writeResults(file, out, { level: machine.level, processor: machine.processor });
