// Short blocks far apart, packed with and without prefetches where they lie in L2, and where they do not:
// node packages/backend-x64/bench/prefetches.mjs FILE [ROUNDS] [BLOCK/STRIDE,...]
import { packMove } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { summarise, writeResults } from "./results.mjs";

const [
  ,
  ,
  file = "results/epyc/prefetches.json",
  rounds = "21",
  shapes = "20/1000,40/3240,40/32840,32/600,8/4104,64/840",
] = process.argv;
const OPTIONS = { prefetched: { prefetchEntries: 16, prefetchL2: true }, plain: { prefetchEntries: 0 } };
const COUNTS = [1000, 2000, 4000, 8000, 16_000, 64_000];
const MOST_ARRAY_BYTES = 2 ** 30;

/** Plans of both contenders over the same buffers; throws where one packs other bytes. */
function contendersOf(block, stride, count) {
  const root = stream(count, stride, dense(block));
  const source = lineAligned(root.highBytes);
  const target = lineAligned(count * block);
  for (let i = 0; i < count; i++)
    for (let byte = 0; byte < block; byte++) source[i * stride + byte] = (i * 131 + byte * 7) & 255;
  const want = target.slice();
  for (let i = 0; i < want.length; i++) want[i] = source[Math.floor(i / block) * stride + (i % block)];
  const move = packMove(layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes }));
  return plansOfOptions(OPTIONS, { what: `${block} of ${stride} bytes`, move, count: 1, source, target, want });
}

const rows = [];
const ratios = { L2: [], beyond: [] };
for (const [block, stride] of shapes.split(",").map((shape) => shape.split("/").map(Number))) {
  for (const count of COUNTS.filter((each) => each * stride <= MOST_ARRAY_BYTES)) {
    const measured = measure(contendersOf(block, stride, count), { rounds: Number(rounds) });
    for (const [contender, times] of Object.entries(measured)) {
      rows.push({
        workload: `${count} blocks of ${block} in ${stride} bytes`,
        count: 1,
        packedBytes: count * block,
        direction: "pack",
        route: "host",
        contender,
        ...times,
        verified: true,
      });
    }
    const ratio = measured.prefetched.medianNs / measured.plain.medianNs;
    ratios[count <= 8000 ? "L2" : "beyond"].push(ratio);
    console.log(`${count} blocks of ${block} in ${stride} bytes: ${ratio.toFixed(2)} times as fast without prefetches`);
  }
}
const summary = { L2: summarise(ratios.L2), beyond: summarise(ratios.beyond) };
console.log(JSON.stringify(summary));
writeResults(file, rows, { level: probeMachine().machine.level });
