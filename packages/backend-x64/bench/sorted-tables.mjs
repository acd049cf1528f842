// Tables of shuffled blocks unpacked in the order of addresses and in the packed order, in turns, with what sorting
// costs the commit:
// node packages/backend-x64/bench/sorted-tables.mjs FILE [LEAST MOST], LEAST and MOST the powers of two of the blocks.
import { createHash } from "node:crypto";
import { conditions, hostMemory, unpackMove } from "@stowage/backend-api";
import { dense, integerTable, layout, uniformBlocks } from "@stowage/ir";
import { X64Backend } from "../dist/index.js";
import { measure, median } from "./measure.mjs";
import { writeResults } from "./results.mjs";
import { shuffled } from "./shuffled.mjs";

const [file, least = "16", most = "22"] = process.argv.slice(2);
/** Bytes of a block, and of a block with the gap behind it. */
const SHAPES = [
  [4, 8],
  [8, 16],
  [8, 32],
  [16, 32],
  [24, 48],
  [8, 64],
  [24, 128],
  [64, 128],
];
const MOST_REACH_BYTES = 2 ** 28;
const backend = new X64Backend({ sortReachBytes: 0 });
/** Who expects no calls has nothing sorted. */
const CONTENDERS = { "x64 unsorted": conditions(), "x64 sorted": conditions({ reuse: Infinity }) };

function kernelOf(move, given) {
  const commits = [];
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    const kernel = backend.kernel([move], given);
    commits.push((performance.now() - start) * 1e6);
    if (i === 2) return { kernel, commitNs: median(commits) };
    kernel[Symbol.dispose]();
  }
}

function* cells() {
  for (let power = Number(least); power <= Number(most); power++) {
    const places = shuffled(2 ** power);
    for (const [block, apart] of SHAPES) if (places.length * apart <= MOST_REACH_BYTES) yield { places, block, apart };
  }
}

const rows = [];
for (const { places, block, apart } of cells()) {
  const root = uniformBlocks(
    integerTable(places.length, (i) => places[i] * apart),
    dense(block),
  );
  const type = layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
  const source = { memory: hostMemory(new Uint8Array(type.sizeBytes).map((_, i) => i * 3 + (i >> 8))), originBytes: 0 };
  // One target for both: two would take each other's lines in the caches.
  const target = { memory: hostMemory(new Uint8Array(root.highBytes)), originBytes: 0 };
  const made = Object.entries(CONTENDERS).map(([contender, given]) => {
    const { kernel, commitNs } = kernelOf(unpackMove(type), given);
    const plan = kernel.bind([{ source, target, count: 1, first: 0, length: type.sizeBytes }]);
    target.memory.bytes.fill(0);
    plan.run().wait();
    const hash = createHash("sha256").update(target.memory.bytes).digest("hex");
    return { contender, commitNs, kernel, plan, hash };
  });
  const verified = made[0].hash === made[1].hash;
  const times = measure(Object.fromEntries(made.map(({ contender, plan }) => [contender, plan])), {
    rounds: 9,
    sampleNs: 50_000,
  });
  const workload = `${places.length} shuffled blocks of ${block}, ${apart} bytes apart`;
  const common = { workload, count: 1, packedBytes: type.sizeBytes, direction: "unpack", route: "host", verified };
  if (verified)
    for (const { contender, commitNs } of made) rows.push({ ...common, contender, ...times[contender], commitNs });
  const [a, b] = made.map(({ contender }) => times[contender]);
  const sortingNs = (made[1].commitNs - made[0].commitNs) / places.length;
  console.log(
    `${workload.padEnd(48)} sorted ${(a.medianNs / b.medianNs).toFixed(2)} (least times ${(a.minNs / b.minNs).toFixed(2)}), saves ${((a.medianNs - b.medianNs) / places.length).toFixed(2)} ns a block, costs ${sortingNs.toFixed(0)} at commit`,
  );
  for (const { plan, kernel } of made) for (const each of [plan, kernel]) each[Symbol.dispose]();
}
writeResults(file ?? "results/epyc/sorted-tables.json", rows);
