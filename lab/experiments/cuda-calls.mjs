import { conditions, packMove } from "@stowage/backend-api";
import { copyBytes } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, hvector, indexed, lower, predefined, subarray } from "@stowage/ir";
import { bytesOn } from "../parts/device-bytes.mjs";
import { backendsOn, onGpu, SIMULATED } from "../parts/device.mjs";
import { BEFORE, moduleOf } from "../parts/old-build.mjs";

const double = predefined("MPI_DOUBLE");
const KINDS = conditions({ sourceKind: "device", targetKind: "device" });
const CUDA = ["cuda-generic", "cuda-strided", "dma"];
const CANARY = 0xa5;
const EVEN = [[0, 0]];
const MIXED = [[0, 0], [8, 0], [0, 8], [8, 8], [4, 0]]; // prettier-ignore
const EDGE = 64;
const SLACK_BYTES = 64;
const of500 = (value) => Array.from({ length: 500 }, (_, i) => value(i));

/** The 26 regions that a cube of EDGE^3 doubles sends to its neighbours. */
function regions() {
  const all = Array.from({ length: 27 }, (_, i) => [9, 3, 1].map((step) => (Math.floor(i / step) % 3) - 1));
  const subsizes = (d) => d.map((at) => (at === 0 ? EDGE - 2 : 1));
  const starts = (d) => d.map((at) => (at < 0 ? 0 : at > 0 ? EDGE - 1 : 1));
  return all
    .filter((d) => d.some((at) => at !== 0))
    .map((d) =>
      subarray({ sizes: [EDGE, EDGE, EDGE], subsizes: subsizes(d), starts: starts(d), order: "C", child: double }),
    );
}

/** What is packed by one plan, by whom, and into how many sets of memory by turns. */
const CASES = {
  "column of 512 doubles": { types: [hvector(512, 8, 4096, predefined("MPI_BYTE"))], by: CUDA, sets: 16 },
  "4 ragged runs": { types: [indexed([3, 1, 2, 5], [0, 9, 20, 31], double)], by: ["cuda-generic", "dma"], sets: 16 },
  "rows of 64 B, 64 KiB": { types: [hvector(1024, 64, 192, predefined("MPI_BYTE"))], by: CUDA, sets: 16 },
  "500 runs of a list": {
    types: [indexed(of500((i) => 1 + (i % 5)), of500((i) => 7 * i), double)], // prettier-ignore
    by: ["cuda-generic", "dma"],
    sets: 16,
  },
  "halo26 of 64^3 doubles": { types: regions(), by: ["cuda-generic", "cuda-strided"], sets: 2 },
};

/** A set: the bindings of all layouts, shifted as asked, and what their targets must hold. */
function setOf(gpu, layouts, number, shifts) {
  const reach = Math.max(...layouts.map((layout) => layout.trueLowerBoundBytes + layout.trueExtentBytes)) + SLACK_BYTES;
  const side = (memory) => ({ kind: "device", sizeBytes: memory.sizeBytes, address: memory.address, device: 0 });
  const image = Uint8Array.from({ length: reach }, (_, i) => (i * 131 + (i >> 8) * 17 + number * 29 + 7) & 255);
  const from = gpu.context.deviceMemory(reach);
  gpu.write(from, image);
  const [left, right] = shifts[number % shifts.length];
  const parts = layouts.map((layout) => {
    const expected = new Uint8Array(layout.sizeBytes + SLACK_BYTES).fill(CANARY);
    let at = right;
    forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
      expected.set(image.subarray(left + offset, left + offset + length), at);
      at += length;
    });
    return { expected, to: gpu.context.deviceMemory(expected.length), length: layout.sizeBytes };
  });
  return {
    bindings: parts.map(({ to, length }) => ({
      source: { memory: side(from), originBytes: left },
      target: { memory: side(to), originBytes: right },
      ...{ count: 1, first: 0, length },
    })),
    clear: () => parts.forEach(({ to }) => gpu.fill(to, CANARY)),
    check(who) {
      for (const [i, { to, expected }] of parts.entries())
        if (Buffer.compare(bytesOn(gpu, to), expected) !== 0)
          throw new Error(`${who}, set ${number}, move ${i}: expected its packed bytes, got others`);
    },
    [Symbol.dispose]: () => [from, ...parts.map(({ to }) => to)].forEach((memory) => memory[Symbol.dispose]()),
  };
}

/** What a backend does at each call; `sets` says how many of the sets a call writes. */
function waysOf(kernel, sets, stream) {
  const [plan, other] = [0, 1].map(() => kernel.bind(sets[0].bindings));
  let turn = 0;
  const next = () => sets[turn++ % sets.length].bindings;
  const rebind = (of, bindings) => bindings.forEach((binding, i) => of.rebind(i, binding));
  return {
    run: { sets: 1, run: () => plan.run(stream).wait() },
    "rebind + run": { sets: sets.length, run: () => (rebind(other, next()), other.run(stream).wait()) },
    call: {
      sets: sets.length,
      run() {
        if (kernel.call !== undefined) return kernel.call(next(), stream).wait();
        const single = kernel.bind(next());
        single.run(stream).wait();
        single[Symbol.dispose]();
      },
    },
    "rebind alone": { sets: 0, run: () => rebind(other, next()) },
  };
}

async function backendsBefore({ before, simulated }) {
  if (before === undefined) return () => undefined;
  const names = ["cuda-driver", "backend-cuda-generic", "backend-cuda-strided", "backend-dma"];
  const [driver, generic, strided, dma] = await Promise.all(names.map((name) => moduleOf(before, name)));
  return (gpu) => {
    const own = simulated ? gpu.driver : driver.openCuda();
    return new Map([
      ["cuda-generic", new generic.CudaGenericBackend({ driver: own })],
      ["cuda-strided", new strided.CudaStridedBackend(() => own)],
      ["dma", new dma.DmaBackend(() => own)],
    ]);
  };
}

export default {
  name: "cuda-calls",
  question: "What does a call of a CUDA backend cost: bound, bound anew, the public call, beside an old build's?",
  kind: "times",
  options: { ...SIMULATED, ...BEFORE, rounds: { kind: "number", says: "samples", byDefault: 60 } },
  trial: { simulated: true },
  sampling: ({ rounds }) => ({ rounds, budgetMs: 0, sampleUs: 20, warmUpMs: 20 }),
  async *cells(given, lab) {
    const before = await backendsBefore(given);
    yield* onGpu(given, lab, function* (gpu) {
      const trees = Object.entries({ now: backendsOn(gpu), before: before(gpu) }).filter(
        ([, tree]) => tree !== undefined,
      );
      for (const [workload, { types, by, sets: count }] of Object.entries(CASES))
        for (const [alignment, shifts] of Object.entries({ even: EVEN, mixed: MIXED })) {
          if (types.length > 1 && shifts === MIXED) continue;
          const layouts = types.map((type) => canonicalise(lower(type)));
          const sets = Array.from({ length: count }, (_, i) => setOf(gpu, layouts, i, shifts));
          const packedBytes = layouts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
          for (const backend of by)
            for (const call of ["run", "rebind + run", "call", "rebind alone"])
              yield { label: { workload, packedBytes, backend, call, alignment }, gpu, trees, layouts, sets };
          for (const set of sets) set[Symbol.dispose]();
        }
      yield { label: { workload: "8 bytes", packedBytes: 8, backend: "driver", call: "copy, event and wait" }, gpu };
    });
  },
  contenders({ label: { backend: name, call }, gpu, trees, layouts, sets }) {
    if (name === "driver") return { now: driverCall(gpu) };
    const entries = trees.map(([tree, backends]) => {
      const backend = backends.get(name);
      const kernel = backend.load(backend.compile(layouts.map((layout) => packMove(layout)), KINDS)); // prettier-ignore
      const { run, sets: written } = waysOf(kernel, sets, gpu.stream)[call];
      const check = () => {
        const own = sets.slice(0, written);
        for (const set of own) set.clear();
        for (let i = 0; i < sets.length; i++) run();
        for (const set of own) set.check(`${tree} ${name} ${call}`);
      };
      return [tree, { run, check, [Symbol.dispose]: () => kernel[Symbol.dispose]() }];
    });
    return Object.fromEntries(entries);
  },
};

/** The driver's own price of a call: a copy of 8 bytes, and its wait. */
function driverCall({ context, stream }) {
  const [a, b] = [0, 1].map(() => context.deviceMemory(256));
  const copy = copyBytes(context, b.address, a.address, 8);
  const event = context.event();
  return { run: () => (copy.run(stream), event.record(stream), event.synchronize()) };
}
