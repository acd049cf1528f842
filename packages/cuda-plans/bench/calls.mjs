// What a call of a CUDA backend costs: node calls.mjs OUT.json [--before ROOT] [--simulated] [--rounds N].
// run: a bound plan. rebind+run: other buffers each time, by turns of 16 pairs; at mixed alignments too. call: what an
// application calls, Kernel.call or bind, run and dispose. rebind alone: 16 of them, each other buffers. halo26: 26
// regions bound anew, then one run. Every run is waited for; --before names another tree of packages, built, to compare
// with in the same process, by turns. What was written is compared with the reference after each cell.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { conditions, packMove } from "@stowage/backend-api";
import { openCuda, openSimulatedCuda, copyBytes } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { haloOf, TYPES } from "./types.mjs";

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const out = process.argv[2] ?? "calls.json";
const simulated = process.argv.includes("--simulated");
const rounds = Number(argument("--rounds") ?? (simulated ? 2 : 60));
const roots = { now: dirname(dirname(dirname(fileURLToPath(import.meta.url)))), before: argument("--before") };
const KINDS = conditions({ sourceKind: "device", targetKind: "device" });
const PAIRS = 16;

const driver = simulated ? openSimulatedCuda() : openCuda();
const context = driver.context();
const stream = context.stream();

async function backendsOf(root) {
  const load = (name) => import(pathToFileURL(join(root, name, "dist/index.js")).href);
  const { openCuda: open } = await load("cuda-driver");
  const own = simulated || root === roots.now ? driver : open();
  const generic = await load("backend-cuda-generic");
  const strided = await load("backend-cuda-strided");
  const dma = await load("backend-dma");
  return {
    "cuda-generic": new generic.CudaGenericBackend({ driver: own }),
    "cuda-strided": new strided.CudaStridedBackend(() => own),
    dma: new dma.DmaBackend(() => own),
  };
}

const memoryOf = (sizeBytes) => {
  const memory = context.deviceMemory(sizeBytes);
  return { kind: "device", sizeBytes, address: memory.address, device: 0 };
};
const image = (sizeBytes, salt) =>
  Uint8Array.from({ length: sizeBytes }, (_, i) => (i * 131 + (i >> 8) * 17 + salt * 29 + 7) & 255);
function upload(buffer, bytes) {
  copyBytes(context, buffer.address, context.libcuda.addressOf(bytes), bytes.length).run(stream);
  stream.synchronize();
}
function download(buffer, offset, length) {
  const bytes = new Uint8Array(new ArrayBuffer(length));
  copyBytes(context, context.libcuda.addressOf(bytes), buffer.address + offset, length).run(stream);
  stream.synchronize();
  return bytes;
}
function packed(layout, bytes, origin) {
  const stream_ = new Uint8Array(layout.sizeBytes);
  let done = 0;
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    stream_.set(bytes.subarray(origin + offset, origin + offset + length), done);
    done += length;
  });
  return stream_;
}

/** Medians and spread of calls taken by turns, in nanoseconds; `per`: what one call counts for. */
function timed(calls, per = 1) {
  const times = calls.map(() => []);
  for (let round = -60; round < rounds; round++)
    calls.forEach((call, i) => {
      // The first two of a turn find caches and heap as the contender before left them.
      for (let again = -2; again < 8; again++) {
        const start = process.hrtime.bigint();
        call();
        const ns = Number(process.hrtime.bigint() - start);
        if (round >= 0 && again >= 0) times[i].push(ns / per);
      }
    });
  return times.map((list) => {
    list.sort((a, b) => a - b);
    const at = (part) => Math.round(list[Math.floor(part * (list.length - 1))]);
    return { medianNs: at(0.5), minNs: at(0), p90Ns: at(0.9), runs: list.length };
  });
}

const rows = [];
const trees = {
  now: await backendsOf(roots.now),
  ...(roots.before === undefined ? {} : { before: await backendsOf(roots.before) }),
};

for (const [name, { type, backends }] of Object.entries(TYPES)) {
  const layout = canonicalise(lower(type));
  const reach = Math.ceil((layout.trueExtentBytes + 64) / 256) * 256;
  const room = Math.ceil((layout.sizeBytes + 64) / 256) * 256;
  const sources = Array.from({ length: PAIRS }, () => memoryOf(reach));
  const targets = Array.from({ length: PAIRS }, () => memoryOf(room));
  const images = sources.map((source, i) => {
    const bytes = image(reach, i);
    upload(source, bytes);
    return bytes;
  });
  const bindingOf = (i, shifts) => ({
    source: { memory: sources[i], originBytes: shifts[0] },
    target: { memory: targets[i], originBytes: shifts[1] },
    count: 1,
    first: 0,
    length: layout.sizeBytes,
  });
  const SHIFTS = [
    [0, 0],
    [8, 0],
    [0, 8],
    [8, 8],
    [4, 0],
  ];
  const even = Array.from({ length: PAIRS }, (_, i) => bindingOf(i, [0, 0]));
  const mixed = Array.from({ length: PAIRS }, (_, i) => bindingOf(i, SHIFTS[i % SHIFTS.length]));
  const verify = (what, shiftOf) => {
    for (let i = 0; i < PAIRS; i++) {
      const [from, to] = shiftOf(i);
      const [expected, got] = [packed(layout, images[i], from), download(targets[i], to, layout.sizeBytes)];
      const wrong = expected.findIndex((byte, b) => byte !== got[b]);
      if (wrong >= 0)
        throw new Error(`${what}, pair ${i}, byte ${wrong}: expected ${expected[wrong]}, got ${got[wrong]}`);
    }
  };
  const clear = () => targets.forEach((target) => upload(target, new Uint8Array(room).fill(0xa5)));
  for (const backendName of backends) {
    const tries = Object.entries(trees).map(([tree, made]) => {
      const backend = made[backendName];
      const kernel = backend.load(backend.compile([packMove(layout)], KINDS));
      const [plan, other] = [kernel.bind([even[0]]), kernel.bind([even[0]])];
      let turn = 0;
      const next = (list) => list[turn++ % PAIRS];
      const call = (binding) => {
        if (kernel.call !== undefined) return kernel.call([binding], stream).wait();
        const single = kernel.bind([binding]);
        single.run(stream).wait();
        single[Symbol.dispose]();
      };
      return {
        tree,
        calls: {
          run: () => plan.run(stream).wait(),
          "rebind+run": () => {
            other.rebind(0, next(even));
            other.run(stream).wait();
          },
          "rebind+run, mixed alignments": () => {
            other.rebind(0, next(mixed));
            other.run(stream).wait();
          },
          call: () => call(next(even)),
          "rebind alone": () => {
            for (let i = 0; i < PAIRS; i++) plan.rebind(0, even[i]);
          },
        },
      };
    });
    for (const what of ["run", "rebind+run", "rebind+run, mixed alignments", "call", "rebind alone"]) {
      const shiftOf = what.includes("mixed") ? (i) => SHIFTS[i % SHIFTS.length] : () => [0, 0];
      const results = timed(
        tries.map(({ calls }) => calls[what]),
        what === "rebind alone" ? PAIRS : 1,
      );
      tries.forEach(({ tree, calls }, i) => {
        if (what !== "rebind alone" && what !== "run") {
          clear();
          for (let pair = 0; pair < PAIRS; pair++) calls[what]();
          verify(`${tree} ${backendName} ${what}`, shiftOf);
        }
        rows.push({
          workload: name,
          packedBytes: layout.sizeBytes,
          backend: backendName,
          tree,
          call: what,
          ...results[i],
          verified: true,
        });
      });
    }
  }
}

// The 26 regions of a halo of 64^3 doubles, one launch.
{
  const N = 64;
  const layouts = haloOf(N);
  const cubes = [memoryOf(N ** 3 * 8), memoryOf(N ** 3 * 8)];
  const images = cubes.map((cube, i) => {
    const bytes = image(N ** 3 * 8, i);
    upload(cube, bytes);
    return bytes;
  });
  const rooms = [0, 1].map(() => layouts.map((layout) => memoryOf(Math.ceil(layout.sizeBytes / 256) * 256)));
  const bindings = [0, 1].map((turn) =>
    layouts.map((layout, i) => ({
      source: { memory: cubes[turn], originBytes: 0 },
      target: { memory: rooms[turn][i], originBytes: 0 },
      count: 1,
      first: 0,
      length: layout.sizeBytes,
    })),
  );
  for (const backendName of ["cuda-generic", "cuda-strided"]) {
    const tries = Object.entries(trees).map(([tree, made]) => {
      const backend = made[backendName];
      const kernel = backend.load(
        backend.compile(
          layouts.map((layout) => packMove(layout)),
          KINDS,
        ),
      );
      const [plan, other] = [kernel.bind(bindings[0]), kernel.bind(bindings[0])];
      let turn = 0;
      return {
        tree,
        calls: {
          run: () => plan.run(stream).wait(),
          "rebind of 26 + run": () => {
            const list = bindings[turn++ % 2];
            for (let i = 0; i < 26; i++) other.rebind(i, list[i]);
            other.run(stream).wait();
          },
        },
      };
    });
    for (const what of ["run", "rebind of 26 + run"]) {
      const results = timed(tries.map(({ calls }) => calls[what]));
      tries.forEach(({ tree, calls }, i) => {
        calls[what]();
        calls[what]();
        for (const turn of what === "run" ? [0] : [0, 1])
          layouts.forEach((layout, r) => {
            const [expected, got] = [packed(layout, images[turn], 0), download(rooms[turn][r], 0, layout.sizeBytes)];
            const wrong = expected.findIndex((byte, b) => byte !== got[b]);
            if (wrong >= 0) throw new Error(`${tree} ${backendName} ${what}, region ${r}, byte ${wrong}`);
          });
        rows.push({
          workload: "halo26 of 64^3 doubles",
          packedBytes: layouts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
          backend: backendName,
          tree,
          call: what,
          ...results[i],
          verified: true,
        });
      });
    }
  }
}

// The driver's own price of a call: an empty copy of 8 bytes, and its wait.
{
  const [a, b] = [memoryOf(256), memoryOf(256)];
  const copy = copyBytes(context, b.address, a.address, 8);
  const event = context.event();
  const [result] = timed([
    () => {
      copy.run(stream);
      event.record(stream);
      event.synchronize();
    },
  ]);
  rows.push({
    workload: "8 bytes",
    packedBytes: 8,
    backend: "driver",
    tree: "now",
    call: "copy, event and wait",
    ...result,
    verified: true,
  });
}

const { name: gpu } = driver.devices[0];
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, gpu, driver: driver.version, node: process.version };
writeFileSync(
  out,
  `${JSON.stringify({ schema: "stowage-calls/1", command: "node packages/cuda-plans/bench/calls.mjs OUT --before BEFORE/packages", date: new Date().toISOString(), machine, rows }, undefined, 1)}\n`,
);
for (const { workload, backend, tree, call, medianNs, minNs, p90Ns } of rows)
  console.log(
    `${workload.padEnd(24)} ${backend.padEnd(13)} ${tree.padEnd(7)} ${call.padEnd(30)} ${(medianNs / 1000).toFixed(2).padStart(8)} us  (${(minNs / 1000).toFixed(2)} to ${(p90Ns / 1000).toFixed(2)})`,
  );
