// Everything that must be right of the CUDA backends on a real GPU: node gpu-check.mjs GOLDEN.jsonl OUT.json
// [--simulated] [--runs N] [--only laws|golden]. The laws, law 9 behind work that takes milliseconds; every golden type
// packed and unpacked by each backend; what the driver answers to copies that it may refuse; the driver's self-check.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { checkLaw, LAWS } from "@stowage/conformance/laws";
import { copyAnswers, openCuda, openSimulatedCuda, selfCheck } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { canonicalise, forEachRun, lower, parseDatatype } from "@stowage/ir";

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const [golden, out] = process.argv.slice(2);
const simulated = process.argv.includes("--simulated");
const runs = Number(argument("--runs") ?? 60);
const only = argument("--only");
const driver = simulated ? openSimulatedCuda() : openCuda();
const context = driver.context();
const blocking = context.stream({ blocking: true });
const apart = context.stream();
const LEGACY = { handle: 0 };
const backends = {
  "cuda-generic": () => new CudaGenericBackend({ driver }),
  "cuda-generic/specialised": () => new CudaGenericBackend({ driver, tuning: { tier: "specialised" } }),
  "cuda-generic/memory": () => new CudaGenericBackend({ driver, tuning: { planSpace: "memory" } }),
  "cuda-strided": () => new CudaStridedBackend(() => driver),
  dma: () => new DmaBackend(() => driver),
};

/** Work that keeps a stream busy, so that what does not wait for it is seen. */
const busy = context.deviceMemory(simulated ? 2 ** 10 : 2 ** 28);
function slow(memory, stream) {
  return {
    ...memory,
    enqueue(...write) {
      for (let i = 0; i < 4; i++) busy.fill(i, stream);
      memory.enqueue(...write);
    },
  };
}
const device = testMemory(context, "device");
const results = { laws: [], golden: [], answers: {}, selfCheck: [] };

const withQueue = (backend, queue) => {
  const wrapped = (plan) => ({
    run: (asked = queue) => plan.run(asked),
    rebind: (i, binding) => plan.rebind(i, binding),
    [Symbol.dispose]: () => plan[Symbol.dispose](),
  });
  const { name } = backend;
  return {
    name,
    supports: (...args) => backend.supports(...args),
    predict: (...args) => backend.predict(...args),
    compile: (...args) => backend.compile(...args),
    load(artifact) {
      const kernel = backend.load(artifact);
      return {
        bind: (bindings) => wrapped(kernel.bind(bindings)),
        explain: () => "",
        [Symbol.dispose]: () => kernel[Symbol.dispose](),
      };
    },
  };
};

function law(number, name, factory, options, expected = "kept") {
  const start = performance.now();
  let got = "kept";
  try {
    checkLaw(
      LAWS.find((each) => each.number === number),
      factory,
      options,
    );
  } catch (error) {
    got = error.message.split("\n")[0].slice(0, 300);
  }
  const ok = expected === "kept" ? got === "kept" : got !== "kept";
  results.laws.push({
    law: number,
    backend: name,
    runs: options.runs,
    expected,
    got,
    ok,
    seconds: Number(((performance.now() - start) / 1000).toFixed(1)),
  });
  if (!ok) console.log(`law ${number}, ${name}: expected ${expected}, got ${got}`);
}

if (only !== "golden") {
  for (const check of selfCheck(context)) results.selfCheck.push(check);
  results.answers = copyAnswers(context);
  for (const [name, factory] of Object.entries(backends)) {
    const options = {
      scattered: device,
      packed: device,
      directions: ["pack", "unpack", "copy"],
      seed: 20_250_117,
      runs,
    };
    for (const number of [1, 2, 3, 6, 12]) law(number, name, factory, options);
    law(1, name, factory, { ...options, packed: testMemory(context, "pinned"), runs: Math.ceil(runs / 2), seed: 7 });
    const ordered = {
      ...options,
      scattered: slow(testMemory(context, "device", LEGACY), LEGACY),
      packed: slow(testMemory(context, "device", blocking), blocking),
      directions: ["pack", "unpack"],
      runs: Math.ceil(runs / 2),
    };
    law(9, name, factory, ordered);
    if (!name.includes("/")) law(9, `${name} on a stream apart`, () => withQueue(factory(), apart), ordered, "broken");
  }
}

if (only !== "laws" && golden !== undefined) {
  const kinds = conditions({ sourceKind: "device", targetKind: "device" });
  const types = readFileSync(golden, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const [name, factory] of Object.entries(backends)) {
    const backend = factory();
    const tally = { backend: name, packed: 0, unpacked: 0, refused: 0, wrong: [] };
    for (const [at, { type, count, buffer, origin, sha256 }] of types.entries()) {
      const layout = canonicalise(lower(parseDatatype(type)));
      const length = layout.sizeBytes * count;
      if (length === 0) continue;
      const [pack, unpack] = [packMove(layout), unpackMove(layout)];
      if (!backend.supports([pack], kinds).ok) {
        tally.refused++;
        continue;
      }
      const image = Uint8Array.from({ length: buffer }, (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255);
      const [there, stream] = [device.allocate(buffer), device.allocate(length)];
      device.write(there, 0, image);
      const range = { count, first: 0, length };
      const scattered = { memory: there, originBytes: origin };
      const packed = { memory: stream, originBytes: 0 };
      const kernels = [pack, unpack].map((move) => backend.load(backend.compile([move], kinds)));
      const first = kernels[0].bind([{ source: scattered, target: packed, ...range }]);
      first.run().wait();
      const bytes = device.read(stream, 0, length);
      if (createHash("sha256").update(bytes).digest("hex") === sha256) tally.packed++;
      else tally.wrong.push(`pack of type ${at}`);
      const canary = new Uint8Array(buffer).fill(0x5a);
      const expected = canary.slice();
      let done = 0;
      forEachRun(layout, range, (offset, lengthBytes) => {
        expected.set(bytes.subarray(done, done + lengthBytes), origin + offset);
        done += lengthBytes;
      });
      device.write(there, 0, canary);
      const second = kernels[1].bind([{ source: packed, target: scattered, ...range }]);
      second.run().wait();
      if (Buffer.compare(Buffer.from(device.read(there, 0, buffer)), Buffer.from(expected)) === 0) tally.unpacked++;
      else tally.wrong.push(`unpack of type ${at}`);
      for (const held of [first, second, ...kernels]) held[Symbol.dispose]();
      device.free(there);
      device.free(stream);
    }
    results.golden.push(tally);
  }
}

const { name: gpu } = driver.devices[0];
writeFileSync(
  out,
  `${JSON.stringify({ schema: "stowage-gpu-check/1", command: "node packages/selector/checks/gpu-check.mjs GOLDEN.jsonl OUT.json", date: new Date().toISOString(), machine: { gpu, driver: driver.version, node: process.version }, ...results }, undefined, 1)}\n`,
);
for (const { law: number, backend, got, ok, seconds } of results.laws)
  console.log(`law ${number} ${backend}: ${ok ? "as expected" : `WRONG: ${got}`} (${seconds} s)`);
for (const { backend, packed, unpacked, refused, wrong } of results.golden)
  console.log(`golden ${backend}: ${packed} packed, ${unpacked} unpacked, ${refused} refused, ${wrong.length} wrong`);
console.log(
  `self-check: ${
    results.selfCheck
      .filter(({ failure }) => failure !== undefined)
      .map(({ name, failure }) => `${name}: ${failure}`)
      .join("; ") || "all right"
  }`,
);
