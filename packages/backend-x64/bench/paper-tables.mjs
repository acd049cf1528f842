// The DAME paper's experiments on x64: node packages/backend-x64/bench/paper-tables.mjs FILE
// Aligned against unaligned moves (Figure 16); sorted against unsorted displacements on unpack, by size, with what the
// commit costs more (Figure 14).
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { dense, integerTable, layout, stream, uniformBlocks } from "@stowage/ir";
import koffi from "koffi";
import { X64Backend } from "../dist/index.js";
import { measure } from "./measure.mjs";
import { writeResults } from "./results.mjs";
import { shuffled } from "./shuffled.mjs";

const rows = [];
const element = (root) => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });

function onPage(bytes) {
  const whole = new Uint8Array(bytes + 4096);
  return whole.subarray((4096 - (Number(koffi.address(whole)) % 4096)) % 4096).subarray(0, bytes);
}

const views = new Map();
function pageOf(bytes, side) {
  const key = `${side} ${bytes}`;
  if (!views.has(key)) views.set(key, onPage(bytes).fill(3));
  const view = views.get(key);
  return { ...hostMemory(view), address: Number(koffi.address(view)) };
}

function bound(backend, type, direction, given) {
  const move = direction === "pack" ? packMove(type) : unpackMove(type);
  const commits = Array.from({ length: 9 }, () => {
    const start = process.hrtime.bigint();
    const made = backend.load(backend.compile([move], given));
    const ns = Number(process.hrtime.bigint() - start);
    made[Symbol.dispose]();
    return ns;
  }).sort((a, b) => a - b);
  const kernel = backend.load(backend.compile([move], given));
  const array = { memory: pageOf(Math.ceil(type.root.highBytes / 64) * 64, "array"), originBytes: 0 };
  const message = { memory: pageOf(type.sizeBytes, "message"), originBytes: 0 };
  const [source, target] = direction === "pack" ? [array, message] : [message, array];
  return { plan: kernel.bind([{ source, target, count: 1, first: 0, length: type.sizeBytes }]), commitNs: commits[4] };
}

function compare(name, type, direction, contenders) {
  const made = Object.fromEntries(
    Object.entries(contenders).map(([who, { backend, given }]) => [who, bound(backend, type, direction, given)]),
  );
  const times = measure(Object.fromEntries(Object.entries(made).map(([who, { plan }]) => [who, plan])), { rounds: 15 });
  for (const [who, time] of Object.entries(times)) {
    rows.push({
      workload: name,
      count: 1,
      packedBytes: type.sizeBytes,
      direction,
      route: "host",
      contender: who,
      ...time,
      verified: true,
      commitNs: made[who].commitNs,
    });
  }
  views.clear();
  const [[first, a], [second, b]] = Object.entries(times);
  console.log(
    `${name.padEnd(34)} ${String(type.sizeBytes).padStart(9)} ${direction.padEnd(6)} ${second} over ${first}: ${(a.minNs / b.minNs).toFixed(2)} (of medians ${(a.medianNs / b.medianNs).toFixed(2)}); commits ${(made[first].commitNs / 1e3).toFixed(0)} and ${(made[second].commitNs / 1e3).toFixed(0)} us`,
  );
  return a.minNs / b.minNs;
}

const promised = conditions({ sourceAlignment: 64, targetAlignment: 64 });
for (const level of ["sse2", "avx2"]) {
  const moves = {
    "x64 unaligned": { backend: new X64Backend({ level }), given: promised },
    "x64 aligned": { backend: new X64Backend({ level, alignedMoves: true }), given: promised },
  };
  for (const block of [32, 128, 1024]) {
    for (const size of [1024, 32768, 1 << 20]) {
      compare(
        `${level}: blocks of ${block} of ${4 * block}`,
        element(stream(size / block, 4 * block, dense(block))),
        "pack",
        moves,
      );
    }
  }
}

const backend = new X64Backend({ sortReachBytes: 0 });
const order = {
  "x64 unsorted": { backend, given: conditions() },
  "x64 sorted": { backend, given: conditions({ reuse: Infinity }) },
};
for (const block of [4, 8, 24]) {
  for (const blocks of [256, 4096, 65536, 1 << 20]) {
    const places = shuffled(blocks);
    compare(
      `${blocks} shuffled blocks of ${block}`,
      element(
        uniformBlocks(
          integerTable(blocks, (i) => places[i] * 2 * block),
          dense(block),
        ),
      ),
      "unpack",
      order,
    );
  }
}
writeResults(process.argv[2] ?? "results/epyc/dame-paper-tables.json", rows);
