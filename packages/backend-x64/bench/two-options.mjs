// Blocks a stride apart, packed in two ways: what long-runs.mjs and near-blocks.mjs share.
import { packMove } from "@stowage/backend-api";
import { dense, layout } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

/** Plans of both contenders over the same buffers; throws where one packs other bytes. */
function contendersOf(options, block, stride, count) {
  const element = layout(0, dense(block), { lowerBoundBytes: 0, extentBytes: stride });
  const source = lineAligned((count - 1) * stride + block);
  const target = lineAligned(count * block);
  for (let i = 0; i < source.length; i++) source[i] = (i * 131 + (i >> 8)) & 255;
  const want = target.slice();
  for (let i = 0; i < want.length; i++) want[i] = source[Math.floor(i / block) * stride + (i % block)];
  return plansOfOptions(options, {
    what: `${block} of ${stride} bytes`,
    move: packMove(element),
    count,
    source,
    target,
    want,
  });
}

/**
 * Times two sets of options, { name: X64Options }, the second over the first, over shapes "BLOCK/STRIDE,..." of so many
 * packed bytes.
 */
export function compareOptions({ file, rounds: roundsText, shapes, options, sizes }) {
  const [before, after] = Object.keys(options);
  const rows = [];
  const ratios = { median: [], least: [] };
  for (const [block, stride] of shapes.split(",").map((shape) => shape.split("/").map(Number))) {
    for (const size of sizes) {
      const count = Math.max(1, Math.floor(size / block));
      const measured = measure(contendersOf(options, block, stride, count), { rounds: Number(roundsText) });
      const workload = `${block} of ${stride} bytes`;
      rows.push(...rowsOfCell({ workload, count, packedBytes: count * block, direction: "pack" }, measured));
      const [median, least] = [
        measured[before].medianNs / measured[after].medianNs,
        measured[before].minNs / measured[after].minNs,
      ];
      ratios.median.push(median);
      ratios.least.push(least);
      const rate = (who) => ((count * block) / measured[who].minNs).toFixed(1).padStart(6);
      console.log(
        `${block} of ${stride} bytes, ${count * block} packed: ${rate(before)} -> ${rate(after)} GB/s, ${median.toFixed(2)} (of minima ${least.toFixed(2)})`,
      );
    }
  }
  const summary = { ofMedians: summarise(ratios.median), ofMinima: summarise(ratios.least) };
  console.log(JSON.stringify(summary));
  writeResults(file, rows, { level: probeMachine().machine.level });
}
