// Short blocks near each other, packed with and without permutedBlocks: node packages/backend-x64/bench/near-blocks.mjs
// FILE [ROUNDS] [BLOCK/STRIDE,...]
import { packMove } from "@stowage/backend-api";
import { dense, layout } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { summarise, writeResults } from "./results.mjs";

const [
  ,
  ,
  file = "results/epyc/near-blocks.json",
  rounds = "15",
  shapes = "17/24,12/16,12/24,20/24,9/16,6/8,5/8,4/8,3/4,2/4,1/2,36/40",
] = process.argv;
const OPTIONS = { apart: { permutedBlocks: false }, together: { permutedBlocks: true } };
const SIZES = [1024, 32 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** Plans of both contenders over the same buffers; throws where one packs other bytes. */
function contendersOf(block, stride, count) {
  const element = layout(0, dense(block), { lowerBoundBytes: 0, extentBytes: stride });
  const source = lineAligned((count - 1) * stride + block);
  const target = lineAligned(count * block);
  for (let i = 0; i < source.length; i++) source[i] = (i * 131 + (i >> 8)) & 255;
  const want = target.slice();
  for (let i = 0; i < want.length; i++) want[i] = source[Math.floor(i / block) * stride + (i % block)];
  return plansOfOptions(OPTIONS, {
    what: `${block} of ${stride} bytes`,
    move: packMove(element),
    count,
    source,
    target,
    want,
  });
}

const rows = [];
const ratios = { median: [], least: [] };
for (const [block, stride] of shapes.split(",").map((shape) => shape.split("/").map(Number))) {
  for (const size of SIZES) {
    const count = Math.floor(size / block);
    const measured = measure(contendersOf(block, stride, count), { rounds: Number(rounds) });
    for (const [contender, times] of Object.entries(measured)) {
      rows.push({
        workload: `${block} of ${stride} bytes`,
        count,
        packedBytes: count * block,
        direction: "pack",
        route: "host",
        contender,
        ...times,
        verified: true,
      });
    }
    const [median, least] = [
      measured.apart.medianNs / measured.together.medianNs,
      measured.apart.minNs / measured.together.minNs,
    ];
    ratios.median.push(median);
    ratios.least.push(least);
    const rate = (who) => ((count * block) / measured[who].minNs).toFixed(1).padStart(6);
    console.log(
      `${block} of ${stride} bytes, ${count * block} packed: ${rate("apart")} -> ${rate("together")} GB/s, ${median.toFixed(2)} (of minima ${least.toFixed(2)})`,
    );
  }
}
const summary = { ofMedians: summarise(ratios.median), ofMinima: summarise(ratios.least) };
console.log(JSON.stringify(summary));
writeResults(file, rows, { level: probeMachine().machine.level });
