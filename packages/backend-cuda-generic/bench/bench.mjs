// Times this backend on a GPU beside copies of the same size: node bench.mjs OUT.json [pattern] [--variants].
// Every row is checked byte for byte before it is timed.
import { writeFileSync } from "node:fs";
import { conditions, packMove, reachOf, unpackMove } from "@stowage/backend-api";
import { CudaGenericBackend, paperTuning } from "@stowage/backend-cuda-generic";
import { copyBytes, openCuda } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { buildKernel } from "@stowage/ptx";
import { nearestPackedBytes, workload } from "@stowage/workloads";

const args = process.argv.slice(2);
const [out = "bench.json", pattern = ""] = args.filter((arg) => !arg.startsWith("--"));
const KIB = 1024;
const MIB = 1024 * KIB;

const driver = openCuda();
const context = driver.context();
const stream = context.stream();

// Word i of any buffer: cheap to compute on both sides, different in every word.
const wordAt = (i) => (Math.imul(i, 0x9e3779b1) ^ (i >>> 7)) >>> 0;
const fillKernel = buildKernel("fill_words", { parameters: { target: "u64", words: "u64", salt: "u32" } }, (k, { target, words, salt }) => {
  const i = k.variable("u64", k.globalThread());
  k.while(() => i.lt(words), () => {
    const low = i.to("u32").add(salt);
    k.store("global", target.add(i.shl(2)), [low.mul(0x9e3779b1).xor(low.shr(7))], { bits: 32 });
    i.set(i.add(k.gridThreads()));
  });
});
function fill(memory, salt = 0) {
  const launch = context.kernel(fillKernel).launch(fillKernel.parameterBytes, { grid: { x: 2048 }, block: { x: 256 } });
  launch.parameters.setBigUint64(0, BigInt(memory.address), true);
  launch.parameters.setBigUint64(8, BigInt(Math.floor(memory.sizeBytes / 4)), true);
  launch.parameters.setUint32(16, salt, true);
  launch.run(stream);
  stream.synchronize();
}

function read(address, length) {
  const bytes = new Uint8Array(length);
  copyBytes(context, context.libcuda.addressOf(bytes), address, length).run(stream);
  stream.synchronize();
  return bytes;
}

const patternBytes = (offset, length, into, at) => {
  if (offset % 4 === 0 && length % 4 === 0 && at % 4 === 0) {
    const words = new Uint32Array(into.buffer, into.byteOffset + at, length / 4);
    for (let i = 0; i < words.length; i++) words[i] = wordAt(offset / 4 + i);
    return;
  }
  for (let i = 0; i < length; i++) into[at + i] = (wordAt(Math.floor((offset + i) / 4)) >>> (8 * ((offset + i) % 4))) & 255;
};

const median = (list) => list.slice().sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Wall time of one call with its wait, each contender in turn, and device time between events. */
function time(contenders, packedBytes) {
  const runs = packedBytes >= 16 * MIB ? 60 : 300;
  const wall = contenders.map(() => []);
  const device = contenders.map(() => []);
  const start = context.event({ timed: true });
  const end = context.event({ timed: true });
  // Contenders take turns of a few calls; the first of a turn pays for what the one before left in L2, and is not counted.
  const TURN = 5;
  for (let i = -2; i < runs / TURN; i++) {
    contenders.forEach(({ run, wait }, c) => {
      for (let call = 0; call <= TURN; call++) {
        const before = process.hrtime.bigint();
        run();
        wait();
        if (i >= 0 && call > 0) wall[c].push(Number(process.hrtime.bigint() - before));
      }
    });
  }
  for (let i = 0; i < 8; i++) {
    contenders.forEach(({ run, wait }, c) => {
      for (let call = 0; call <= TURN; call++) {
        start.record(stream);
        run();
        end.record(stream);
        end.synchronize();
        wait();
        if (call > 0) device[c].push(end.millisecondsSince(start) * 1e6);
      }
    });
  }
  start[Symbol.dispose]();
  end[Symbol.dispose]();
  return contenders.map((_, c) => ({ medianNs: median(wall[c]), minNs: Math.min(...wall[c]), maxNs: Math.max(...wall[c]), runs, deviceNs: Math.round(median(device[c])) }));
}

const TUNINGS = args.includes("--variants")
  ? {
      "": {}, u4: { unroll: 4 }, u8: { unroll: 8 }, t256: { threads: 256 }, t512: { threads: 512 }, parameters: { planSpace: "parameters" }, memory: { planSpace: "memory" },
      "pass-l1": { hints: { passL1: true, storeOperator: "wb" } }, specialised: { tier: "specialised" }, "specialised-t256": { tier: "specialised", threads: 256 },
      "specialised-u4": { tier: "specialised", unroll: 4 }, "specialised-u8": { tier: "specialised", unroll: 8 },
      "paper-8B": paperTuning(8), "paper-4B": paperTuning(4), "paper-1B": paperTuning(1),
    }
  : { "": {}, specialised: { tier: "specialised" } };

const parts = (list) => list.map(({ name, packedBytes }) => {
  const { datatype, count } = workload(name, packedBytes === undefined ? {} : { packedBytes: nearestPackedBytes(name, packedBytes) });
  const before = performance.now();
  const layout = canonicalise(lower(datatype));
  return { name, layout, count, bytes: layout.sizeBytes * count, lowerMs: performance.now() - before };
});

const HALO = [];
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) if (x !== 0 || y !== 0 || z !== 0) HALO.push({ name: `halo26/${x},${y},${z}` });

const one = (name, packedBytes) => ({ name, list: [{ name, packedBytes }] });
const CASES = [
  one("contiguous", KIB), one("vector-8", KIB), one("vector-128", KIB), one("indexed-random", KIB), one("struct24", KIB), one("indexed-8", KIB), one("lammps-atoms", KIB),
  one("subarray4d-4"), one("subarray4d-8"), one("subarray4d-16"), one("subarray4d-32"),
  one("struct24", 17_000), one("struct24", 17_000_000),
  one("indexed-random", MIB), one("indexed-random", 64 * MIB),
  one("vector-16", MIB), one("contiguous", 64 * MIB),
  one("vector-8", 64 * MIB), one("vector-32", 64 * MIB), one("vector-128", 64 * MIB), one("hvector-bytes-128", 64 * MIB),
  one("indexed-8", 64 * MIB), one("indexed-32", 64 * MIB), one("indexed-128", 64 * MIB),
  one("fields-halo-x"), one("fields-halo-y"), one("lammps-atoms", 12_582_912), one("specfem-oc", 16_777_216), one("specfem-cm", 12_582_912), one("milc-32"),
  { name: "halo26/all", list: HALO, shared: true }, { name: "halo26/all (L2 fetch 32 B)", list: HALO, shared: true, l2: 32 },
];

const rows = [];
for (const test of CASES.filter(({ name }) => name.includes(pattern))) {
  const members = parts(test.list);
  const packedBytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const reaches = members.map(({ layout, count, bytes }) => reachOf(layout, { count, first: 0, length: bytes }));
  // Scattered sides lie one behind the other, but for shared ones: regions of one array.
  const origins = [];
  let scatteredBytes = 0;
  for (const { lowBytes, highBytes } of reaches) {
    if (test.shared) scatteredBytes = Math.max(scatteredBytes, highBytes);
    else {
      origins.push(Math.ceil(scatteredBytes / 256) * 256 - lowBytes);
      scatteredBytes = Math.ceil(scatteredBytes / 256) * 256 + highBytes - lowBytes;
    }
  }
  const origin = (i) => (test.shared ? 0 : origins[i]);
  const before = test.l2 && context.limit("l2FetchBytes");
  if (test.l2) context.setLimit("l2FetchBytes", test.l2);
  const scattered = context.deviceMemory(Math.ceil(scatteredBytes / 4) * 4);
  const packedDevice = context.deviceMemory(Math.max(16, packedBytes + 16));
  const packedHost = context.pinnedMemory(Math.max(16, packedBytes + 16));
  const fixed = packedBytes <= 2 * MIB || args.includes("--variants") ? ["device"] : ["device", "one-shot"];
  const reference = new Uint8Array(packedBytes);
  let at = 0;
  fill(scattered);
  members.forEach(({ layout, count, bytes }, i) => {
    forEachRun(layout, { count, first: 0, length: bytes }, (offset, length) => {
      patternBytes(offset + origin(i), length, reference, at);
      at += length;
    });
  });
  for (const route of fixed) {
    const packed = route === "device" ? packedDevice : packedHost;
    for (const direction of ["pack", "unpack"]) {
      const made = Object.entries(TUNINGS).map(([label, tuning]) => {
        const backend = new CudaGenericBackend({ driver, tuning });
        const moves = members.map(({ layout }) => (direction === "pack" ? packMove : unpackMove)(layout));
        const kinds = direction === "pack" ? { sourceKind: "device", targetKind: packed.kind } : { sourceKind: packed.kind, targetKind: "device" };
        const startCommit = performance.now();
        const kernel = backend.load(backend.compile(moves, conditions(kinds)));
        let packedAt = 0;
        const plan = kernel.bind(members.map(({ count, bytes }, i) => {
          const there = { memory: scattered, originBytes: origin(i) };
          const dense = { memory: packed, originBytes: packedAt };
          packedAt += bytes;
          const [source, target] = direction === "pack" ? [there, dense] : [dense, there];
          return { source, target, count, first: 0, length: bytes };
        }));
        const commitNs = Math.round((performance.now() - startCommit) * 1e6);
        let completion;
        return { label: `cuda-generic${label === "" ? "" : `/${label}`}`, commitNs, plan, kernel, run: () => { completion = plan.run(stream); }, wait: () => completion.wait() };
      });
      // Verified first: a pack against the reference; an unpack by packing what it wrote.
      for (const contender of made) {
        if (direction === "pack") {
          packed.fill(0xee, stream);
          fill(scattered);
        } else {
          copyBytes(context, packed.address, context.libcuda.addressOf(reference), packedBytes).run(stream);
          fill(scattered, 12345);
        }
        contender.run();
        contender.wait();
        contender.verified = direction === "pack" ? Buffer.compare(read(packed.address, packedBytes), reference) === 0 : checkUnpacked(members, scattered, origin, reference);
        if (!contender.verified) console.log(`WRONG ${test.name} ${route} ${direction} ${contender.label}`);
      }
      const copyFrom = direction === "pack" ? [packed.address, packedDevice.address] : [packedDevice.address, packed.address];
      const spare = context.deviceMemory(Math.max(16, packedBytes));
      const copy = route === "device" ? copyBytes(context, spare.address, packedDevice.address, packedBytes) : copyBytes(context, ...copyFrom, packedBytes);
      const contenders = [...made, { label: "memcpy", verified: true, commitNs: 0, run: () => copy.run(stream), wait: () => stream.synchronize() }];
      const times = time(contenders, packedBytes);
      contenders.forEach((contender, i) => {
        if (!contender.verified) return;
        const row = { workload: test.name, count: members[0].count, packedBytes, direction, route, contender: contender.label, ...times[i], verified: true, commitNs: contender.commitNs };
        rows.push(row);
        const us = (ns) => (ns / 1000).toFixed(1).padStart(8);
        console.log(`${test.name.padEnd(26)} ${String(packedBytes).padStart(9)} ${route.padEnd(8)} ${direction.padEnd(6)} ${contender.label.padEnd(22)} wall ${us(row.medianNs)} device ${us(row.deviceNs)} us ${(packedBytes / row.medianNs).toFixed(1).padStart(7)} GB/s commit ${(row.commitNs / 1e6).toFixed(2)} ms lower ${members[0].lowerMs.toFixed(1)} ms`);
      });
      spare[Symbol.dispose]();
      for (const { plan, kernel } of made) {
        plan[Symbol.dispose]();
        kernel[Symbol.dispose]();
      }
    }
  }
  if (test.l2) context.setLimit("l2FetchBytes", before);
  for (const memory of [scattered, packedDevice, packedHost]) memory[Symbol.dispose]();
}

/** Up to 64 MiB of the scattered side byte for byte, gaps included; beyond, blocks drawn from all over it. */
function checkUnpacked(members, scattered, origin, reference) {
  const whole = scattered.sizeBytes <= 80 * MIB;
  const image = whole ? read(scattered.address, scattered.sizeBytes) : undefined;
  const expected = whole ? new Uint8Array(image.length) : undefined;
  if (whole) {
    const words = new Uint32Array(expected.buffer, 0, expected.length >> 2);
    for (let i = 0; i < words.length; i++) words[i] = wordAt(i + 12345);
  }
  let at = 0;
  let right = true;
  let block = 0;
  members.forEach(({ layout, count, bytes }, i) => {
    forEachRun(layout, { count, first: 0, length: bytes }, (offset, length) => {
      if (whole) expected.set(reference.subarray(at, at + length), offset + origin(i));
      else if (block++ % 65521 === 0) right &&= Buffer.compare(read(scattered.address + offset + origin(i), length), reference.subarray(at, at + length)) === 0;
      at += length;
    });
  });
  return whole ? Buffer.compare(image, expected) === 0 : right;
}

const { name } = context.device;
const machine = { gpu: name, driver: driver.version, node: process.version };
writeFileSync(out, `${JSON.stringify({ schema: "stowage-results/1", command: `node bench.mjs ${args.slice(1).join(" ")}`, date: new Date().toISOString(), commit: process.env.COMMIT ?? "unknown", machine, rows }, null, 1)}\n`);
