// What a call costs beside the run: node packages/backend-x64/bench/calls.mjs [--backend x64|cpu] [--json]
// 16 small datatypes, 5 kinds of view on each side, in random order; every packed stream is compared with the type map.
import { parseArgs } from "node:util";
import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { Engine } from "@stowage/engine";
import { canonicalise, contiguous, forEachRun, hindexed, lower, predefined, struct, vector } from "@stowage/ir";
import { X64Backend } from "@stowage/backend-x64";
import { median } from "./measure.mjs";

const { values: options } = parseArgs({
  options: { backend: { type: "string", default: "x64" }, json: { type: "boolean", default: false } },
});

const double = predefined("MPI_DOUBLE");
const [int, byte] = [predefined("MPI_INT"), predefined("MPI_BYTE")];
const TYPES = [
  ...[2, 3, 4, 5].map((stride) => vector(4, 1, stride, double)),
  ...[3, 4, 6].map((stride) => vector(5, 2, stride, int)),
  ...[3, 7].map((stride) => vector(6, 2, stride, byte)),
  ...[4, 8].map((count) => contiguous(count, double)),
  hindexed([2, 1, 1], [0, 40, 88], double),
  hindexed([1, 3, 2], [96, 0, 50], int),
  hindexed([3, 5, 7], [0, 10, 90], byte),
  struct([1, 2], [0, 16], [int, double]),
  struct([1, 1, 3], [0, 8, 40], [double, int, byte]),
];
const BYTES = 256;
const KINDS = {
  Float64Array: () => new Float64Array(BYTES / 8),
  "Uint8Array with an offset": () => new Uint8Array(new ArrayBuffer(2 * BYTES), 96, BYTES),
  "Uint8Array of a SharedArrayBuffer": () => new Uint8Array(new SharedArrayBuffer(BYTES)),
  DataView: () => new DataView(new ArrayBuffer(BYTES)),
  Buffer: () => Buffer.from(new ArrayBuffer(BYTES)),
};
const PAIRS = 40;
const STEPS = 20_000;
const ROUNDS = 25;

let seed = 20;
const random = (below) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
const anyView = () => Object.values(KINDS)[random(5)]();
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

const pairs = Array.from({ length: PAIRS }, () => ({ source: anyView(), target: anyView() }));
for (const { source } of pairs) bytesOf(source).forEach((_, i, bytes) => (bytes[i] = random(256)));

const backend = options.backend === "cpu" ? new CpuBackend() : new X64Backend();
const engine = new Engine({ backends: [backend] });
const span = (view) => ({ memory: hostMemory(view), originBytes: 0 });
const cases = TYPES.map((type) => {
  const layout = canonicalise(lower(type));
  const kernel = backend.load(backend.compile([packMove(layout)], conditions()));
  const bindings = pairs.map(({ source, target }) => ({
    source: span(source),
    target: span(target),
    count: 1,
    first: 0,
    length: layout.sizeBytes,
  }));
  return {
    layout,
    bindings,
    plans: bindings.map((each) => kernel.bind([each])),
    plan: kernel.bind([bindings[0]]),
    committed: engine.commit(type),
  };
});

const typeAt = Uint16Array.from({ length: STEPS }, () => random(TYPES.length));
const pairAt = Uint16Array.from({ length: STEPS }, () => random(PAIRS));

const CONTENDERS = {
  "plan.run": (from, to) => {
    for (let i = from; i < to; i++) cases[typeAt[i]].plans[pairAt[i]].run();
  },
  "rebind + run": (from, to) => {
    for (let i = from; i < to; i++) {
      const { plan, bindings } = cases[typeAt[i]];
      plan.rebind(0, bindings[pairAt[i]]);
      plan.run();
    }
  },
  "Committed.pack": (from, to) => {
    for (let i = from; i < to; i++) {
      const { source, target } = pairs[pairAt[i]];
      cases[typeAt[i]].committed.pack(source, target);
    }
  },
  "Committed.pack, a new view each time": (from, to) => {
    for (let i = from; i < to; i++) {
      const { source, target } = pairs[pairAt[i]];
      cases[typeAt[i]].committed.pack(new Uint8Array(source.buffer, source.byteOffset, BYTES), target);
    }
  },
};

/** Each step by itself, its stream compared with the type map and what follows it with what was there. */
function verify(name, run) {
  for (let i = 0; i < 4000; i++) {
    const { source, target } = pairs[pairAt[i]];
    const { layout } = cases[typeAt[i]];
    const [from, want] = [bytesOf(source), new Uint8Array(BYTES).fill(0xee)];
    let at = 0;
    forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
      want.set(from.subarray(offset, offset + length), at);
      at += length;
    });
    bytesOf(target).fill(0xee);
    run(i, i + 1);
    if (Buffer.compare(bytesOf(target), want) !== 0)
      throw new Error(`${name}: expected the type map's bytes, got others`);
  }
}

const names = Object.keys(CONTENDERS);
const samples = Object.fromEntries(names.map((name) => [name, []]));
for (const name of names) verify(name, CONTENDERS[name]);
for (let round = -3; round < ROUNDS; round++) {
  for (const name of round % 2 === 0 ? names : [...names].reverse()) {
    const start = process.hrtime.bigint();
    CONTENDERS[name](0, STEPS);
    if (round >= 0) samples[name].push(Number(process.hrtime.bigint() - start) / STEPS);
  }
}
for (const name of names) verify(name, CONTENDERS[name]);

const runNs = median(samples["plan.run"]);
const rows = names.map((name) => ({
  contender: name,
  medianNs: median(samples[name]),
  minNs: Math.min(...samples[name]),
  maxNs: Math.max(...samples[name]),
  overRunNs: median(samples[name]) - runNs,
  runs: ROUNDS * STEPS,
  verified: true,
}));
if (options.json) {
  const command = ["node", "packages/backend-x64/bench/calls.mjs", ...process.argv.slice(2)].join(" ");
  console.log(
    JSON.stringify(
      { command, date: new Date().toISOString(), node: process.version, backend: backend.name, rows },
      null,
      1,
    ),
  );
} else {
  console.log(`${backend.name}: ${TYPES.length} datatypes, ${Object.keys(KINDS).join(", ")}; ns a call, checked`);
  for (const { contender, medianNs, minNs, maxNs, overRunNs } of rows) {
    const [middle, least, most, over] = [medianNs, minNs, maxNs, overRunNs].map((ns) => ns.toFixed(0).padStart(6));
    console.log(`${contender.padEnd(38)} ${middle} (${least} to ${most})  ${over} over plan.run`);
  }
}
engine[Symbol.dispose]();
