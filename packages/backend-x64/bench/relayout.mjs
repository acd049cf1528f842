// Copies from layout to layout in one kernel, beside unpack(pack()) by our own kernels, either half of it alone, and a
// plain double loop in C. "At most": how many times as fast as unpack(pack()) a copy is that takes as long as the
// longer half. node packages/backend-x64/bench/relayout.mjs [--only TEXT] [results/epyc/relayout.json]
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conditions, copyMove, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { callRecord } from "@stowage/host-plans";
import { forEachRun } from "@stowage/ir";
import koffi from "koffi";
import { X64Backend } from "../dist/index.js";
import { probeMachine } from "../dist/memory/machine.js";
import { measure } from "./measure.mjs";
import { relayoutCases } from "./relayout-cases.mjs";
import { summarise, writeResults } from "./results.mjs";

const HALVES = ["x64 pack", "x64 unpack"];
const backend = new X64Backend();
const find = plainLoops();

function plainLoops() {
  const file = join(mkdtempSync(join(tmpdir(), "relayout-loops-")), "loops.so");
  const source = fileURLToPath(new URL("relayout-loops.c", import.meta.url));
  const made = spawnSync("gcc", ["-O3", "-march=native", "-shared", "-fPIC", "-o", file, source], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`gcc: expected a library, got ${made.stderr}`);
  const libc = koffi.load("libc.so.6");
  const library = libc.func("uintptr_t dlopen(const char *, int)")(file, 2);
  const symbol = libc.func("uintptr_t dlsym(uintptr_t, const char *)");
  return (name) => symbol(library, name);
}

/** Bytes that start on a page, as an application's arrays do. */
function pageAligned(bytes) {
  const whole = new Uint8Array(bytes + 4096);
  return whole.subarray((4096 - (Number(koffi.address(whole)) % 4096)) % 4096).subarray(0, bytes);
}

const planOf = (move, source, target) => {
  const kernel = backend.load(backend.compile([move], conditions()));
  return kernel.bind([
    {
      source: { memory: hostMemory(source), originBytes: 0 },
      target: { memory: hostMemory(target), originBytes: 0 },
      count: 1,
      first: 0,
      length: move.source.sizeBytes,
    },
  ]);
};

function plainPlan({ bytes, outer, inner, source = [0, 0], target = [0, 0], index }, from, to) {
  const words = BigInt64Array.from([outer, inner, ...source, ...target, 0, 0].map(BigInt));
  if (index !== undefined)
    words.set(
      index.map((table) => koffi.address(table)),
      6,
    );
  const name = `${index === undefined ? "stride" : "index"}_${bytes}`;
  const record = Float64Array.from(
    [find(name), koffi.address(from), koffi.address(to), koffi.address(words), 0, 0],
    Number,
  );
  const { launcher } = probeMachine().machine;
  return { run: () => callRecord(launcher, record), keep: [words, index] };
}

function expected({ source, target }, from, to) {
  const [want, packed] = [to.slice(), new Uint8Array(source.sizeBytes)];
  const range = { count: 1, first: 0, length: source.sizeBytes };
  let at = 0;
  forEachRun(source, range, (offset, length) => {
    packed.set(from.subarray(offset, offset + length), at);
    at += length;
  });
  at = 0;
  forEachRun(target, range, (offset, length) => {
    want.set(packed.subarray(at, at + length), offset);
    at += length;
  });
  return want;
}

function contendersOf(each, from, to) {
  const packed = pageAligned(each.source.sizeBytes);
  const [pack, unpack] = [planOf(packMove(each.source), from, packed), planOf(unpackMove(each.target), packed, to)];
  const both = {
    run() {
      pack.run();
      unpack.run();
    },
  };
  const contenders = {
    x64: planOf(copyMove(each.source, each.target), from, to),
    "x64 unpack(pack())": both,
    "x64 pack": pack,
    "x64 unpack": unpack,
  };
  return each.c === undefined ? contenders : { ...contenders, "c-O3": plainPlan(each.c, from, to) };
}

/** The median of some commits; of large tables, of one. */
function commitOf(move) {
  const once = () => {
    const start = process.hrtime.bigint();
    backend.load(backend.compile([move], conditions()))[Symbol.dispose]();
    return Number(process.hrtime.bigint() - start);
  };
  const first = once();
  return first > 1e8 ? first : Array.from({ length: 9 }, once).sort((a, b) => a - b)[4];
}

function runCase(each) {
  const [from, to] = [each.source, each.target].map((side) =>
    pageAligned(side.trueLowerBoundBytes + side.trueExtentBytes),
  );
  for (let i = 0; i < from.length; i++) from[i] = (i * 131 + (i >> 8) * 17 + (i >> 16)) & 255;
  const want = expected(each, from, to);
  const commitNs = commitOf(copyMove(each.source, each.target));
  const contenders = contendersOf(each, from, to);
  for (const [name, plan] of Object.entries(contenders)) {
    // Both have run, and are verified, as unpack(pack()).
    if (HALVES.includes(name)) continue;
    to.fill(0);
    plan.run();
    if (Buffer.compare(to, want) !== 0)
      throw new Error(`${each.name}: expected ${name} to move what the runs say, got other bytes`);
  }
  const timed = measure(
    contenders,
    each.source.sizeBytes > 2 ** 22 ? { rounds: 9, sampleNs: 1 } : { rounds: 41, sampleNs: 400_000 },
  );
  return Object.entries(timed).map(([contender, times]) => ({
    workload: each.name,
    count: 1,
    packedBytes: each.source.sizeBytes,
    direction: "copy",
    route: "host",
    contender,
    ...times,
    verified: true,
    ...(contender === "x64" ? { commitNs } : {}),
  }));
}

const argument = process.argv.indexOf("--only");
const only = argument < 0 ? undefined : process.argv[argument + 1];
const file = process.argv.slice(2).find((word) => word.endsWith(".json"));
const rows = [];
const ratios = {};
for (const each of relayoutCases()) {
  if (only !== undefined && !`${each.name} ${each.size}`.includes(only)) continue;
  const measured = runCase(each);
  rows.push(...measured);
  const [x64, both, pack, unpack, c] = measured;
  const over = (other) => (other === undefined ? "" : (other.medianNs / x64.medianNs).toFixed(2));
  const atMost = (pack.medianNs + unpack.medianNs) / Math.max(pack.medianNs, unpack.medianNs);
  const kind = each.name.startsWith("transpose") ? `transposes, ${each.size}` : `others, ${each.size}`;
  (ratios[kind] ??= []).push(both.medianNs / x64.medianNs);
  console.log(
    `${each.size.padEnd(7)} ${each.name.padEnd(60)} ${(x64.packedBytes / x64.medianNs).toFixed(1).padStart(6)} GB/s  over unpack(pack()) ${over(both)} (of minima ${(both.minNs / x64.minNs).toFixed(2)}, at most ${atMost.toFixed(2)})  over C ${over(c)}`,
  );
}
const summary = Object.fromEntries(Object.entries(ratios).map(([kind, values]) => [kind, summarise(values)]));
for (const [kind, { cells, geometricMean, least }] of Object.entries(summary))
  console.log(`${kind}: ${geometricMean.toFixed(2)} x unpack(pack()) over ${cells} cells, least ${least.toFixed(2)}`);
if (file !== undefined) writeResults(file, rows, { overUnpackOfPack: summary });
