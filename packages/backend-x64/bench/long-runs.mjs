// Long runs a little apart, packed by rounds of vectors and by REP MOVSB: node packages/backend-x64/bench/long-runs.mjs
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
  file = "results/epyc/long-runs.json",
  rounds = "15",
  shapes = "2048/2112,3072/3136,4096/4160,24496/24560,73488/73552",
] = process.argv;
const OPTIONS = { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 2048 } };
const SIZES = [32 * 1024, 128 * 1024, 1024 * 1024, 4 * 1024 * 1024];

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
    const count = Math.max(1, Math.floor(size / block));
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
      measured.rounds.medianNs / measured.repMovsb.medianNs,
      measured.rounds.minNs / measured.repMovsb.minNs,
    ];
    ratios.median.push(median);
    ratios.least.push(least);
    const rate = (who) => ((count * block) / measured[who].minNs).toFixed(1).padStart(6);
    console.log(
      `${block} of ${stride} bytes, ${count * block} packed: ${rate("rounds")} -> ${rate("repMovsb")} GB/s, ${median.toFixed(2)} (of minima ${least.toFixed(2)})`,
    );
  }
}
const summary = { ofMedians: summarise(ratios.median), ofMinima: summarise(ratios.least) };
console.log(JSON.stringify(summary));
writeResults(file, rows, { level: probeMachine().machine.level });
