import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import { Engine } from "@stowage/engine";
import { canonicalise, contiguous, forEachRun, hindexed, lower, predefined, struct, vector } from "@stowage/ir";
import { rowsOfSteps } from "../parts/steps.mjs";

const [double, int, byte] = ["MPI_DOUBLE", "MPI_INT", "MPI_BYTE"].map(predefined);
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
const VIEWS = [
  () => new Float64Array(BYTES / 8),
  () => new Uint8Array(new ArrayBuffer(2 * BYTES), 96, BYTES),
  () => new Uint8Array(new SharedArrayBuffer(BYTES)),
  () => new DataView(new ArrayBuffer(BYTES)),
  () => Buffer.from(new ArrayBuffer(BYTES)),
];
const [PAIRS, STEPS, CHECKED] = [40, 20_000, 4000];

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const span = (view) => ({ memory: hostMemory(view), originBytes: 0 });

/** The same numbers in every run. */
function drawn() {
  let seed = 20;
  return (below) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
}

/** Each step by itself, its stream compared with the type map and what follows it with what was there. */
function check(who, { cases, pairs, typeAt, pairAt }, step) {
  for (let i = 0; i < CHECKED; i++) {
    const { source, target } = pairs[pairAt[i]];
    const { layout } = cases[typeAt[i]];
    const [from, want] = [bytesOf(source), new Uint8Array(BYTES).fill(0xee)];
    let at = 0;
    forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
      want.set(from.subarray(offset, offset + length), at);
      at += length;
    });
    bytesOf(target).fill(0xee);
    step(i, i + 1);
    if (Buffer.compare(bytesOf(target), want) !== 0)
      throw new Error(`${who}: expected the type map's bytes, got others`);
  }
}

export default {
  name: "host-calls",
  question: "What does a call of a small pack cost beside its run, on views of every kind in random order?",
  kind: "times",
  options: { backend: { kind: "text", says: "x64 or cpu", byDefault: "x64" } },
  trial: {},
  sampling: () => ({ budgetMs: 0, rounds: 25, sampleUs: 1, warmUpMs: 10 }),
  *cells({ backend: name = "x64" }) {
    const backend = name === "cpu" ? new CpuBackend() : new X64Backend();
    const engine = new Engine({ backends: [backend] });
    try {
      const random = drawn();
      const anyView = () => VIEWS[random(VIEWS.length)]();
      const pairs = Array.from({ length: PAIRS }, () => ({ source: anyView(), target: anyView() }));
      for (const { source } of pairs) bytesOf(source).forEach((_, i, bytes) => (bytes[i] = random(256)));
      const cases = TYPES.map((type) => {
        const layout = canonicalise(lower(type));
        const kernel = backend.load(backend.compile([packMove(layout)], conditions()));
        const bindings = pairs.map(({ source, target }) => ({
          ...{ source: span(source), target: span(target), count: 1, first: 0, length: layout.sizeBytes },
        }));
        const plans = bindings.map((each) => kernel.bind([each]));
        return { layout, bindings, plans, plan: kernel.bind([bindings[0]]), committed: engine.commit(type) };
      });
      const typeAt = Uint16Array.from({ length: STEPS }, () => random(TYPES.length));
      const pairAt = Uint16Array.from({ length: STEPS }, () => random(PAIRS));
      yield { label: { workload: `${TYPES.length} small datatypes`, backend: name }, cases, pairs, typeAt, pairAt };
    } finally {
      engine[Symbol.dispose]();
    }
  },
  contenders(cell) {
    const { cases, pairs, typeAt, pairAt } = cell;
    const ways = {
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
    return Object.fromEntries(
      Object.entries(ways).map(([who, step]) => [
        who,
        { run: () => step(0, STEPS), check: () => check(who, cell, step) },
      ]),
    );
  },
  rows: rowsOfSteps(STEPS),
};
