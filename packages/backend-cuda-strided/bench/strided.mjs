// Figures of the strided kernels on a GPU: node strided.mjs RESULT [HAND.ptx]. Contenders of a layout run in turns;
// times are of one call and its stream sync. HAND.ptx (from hand.cu, by nvcc -ptx) adds a kernel written by hand in
// CUDA.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { heading, summarise, writeResults } from "@stowage/bench";
import { driverText } from "@stowage/bench/device";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { copyBytes, openCuda } from "@stowage/cuda-driver";
import { forEachRun } from "@stowage/ir";
import { buildKernel } from "@stowage/ptx";
import { contendersOn } from "./contenders.mjs";
import * as layouts from "./layouts.mjs";

const [result, hand] = process.argv.slice(2);
const MIB = 2 ** 20;
const driver = openCuda();
const context = driver.context();
const stream = context.stream();
const backend = new CudaStridedBackend(() => driver);
const scattered = context.deviceMemory(4.25 * 1024 * MIB);
const packed = context.deviceMemory(64 * MIB);
// The plain copy has memory of its own, lest it warm or spoil L2 for the others.
const elsewhere = context.deviceMemory(128 * MIB);
const pinned = context.pinnedMemory(64 * MIB);
const rows = [];
const plain = process.argv.includes("plain");

/** word[i] = the low half of i × 2654435761, mixed: what every byte of the scattered side is known by. */
const fill = buildKernel("fill", { parameters: { target: "u64", words: "u64" } }, (builder, { target, words }) => {
  const index = builder.globalThread();
  builder.if(index.lt(words), () => {
    const mixed = index.to("u32").mul(2654435761);
    builder.store("global", target.add(index.shl(2)), [mixed.xor(mixed.shr(15))], { bits: 32 });
  });
});
const byteAt = (offset) => {
  const mixed = Math.imul(Math.floor(offset / 4) | 0, 2654435761 | 0) >>> 0;
  return ((mixed ^ (mixed >>> 15)) >>> ((offset % 4) * 8)) & 255;
};
function prepare() {
  if (plain) return scattered.fill(3, stream);
  const words = scattered.sizeBytes / 4;
  const launch = context.kernel(fill).launch(16, { grid: { x: Math.ceil(words / 256) }, block: { x: 256 } });
  launch.parameters.setBigUint64(0, BigInt(scattered.address), true);
  launch.parameters.setBigUint64(8, BigInt(words), true);
  launch.run(stream);
  stream.synchronize();
}

/** Compares packed bytes, from `offset` on, in whole runs: up to 4 MiB of them from the start and the end. */
function verified({ layout, count }, side = packed, offset = 0) {
  const total = layout.sizeBytes * count;
  if (side !== pinned) copyBytes(context, pinned.address, side.address + offset, total).run(stream);
  stream.synchronize();
  const { bytes } = pinned;
  const most = Math.min(total, 4 * MIB);
  for (const first of [0, total - most]) {
    let at = first;
    let right = true;
    forEachRun(layout, { count, first, length: most }, (offset, length) => {
      for (let i = 0; i < length; i++) right &&= bytes[at++] === byteAt(offset + i);
    });
    if (!right) return false;
  }
  return true;
}

const KINDS = { sourceKind: "device", targetKind: "device" };
const specialised = new CudaStridedBackend(() => driver, { specialise: true });
function bind({ layout, count }, direction, known = {}, packedSide = packed, by = backend) {
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  const own = { memory: scattered, originBytes: -Math.min(0, layout.trueLowerBoundBytes) };
  const dense = { memory: packedSide, originBytes: 0 };
  const [source, target] = direction === "pack" ? [own, dense] : [dense, own];
  const kinds =
    direction === "pack" ? { ...KINDS, targetKind: packedSide.kind } : { ...KINDS, sourceKind: packedSide.kind };
  const kernel = by.load(by.compile([move], conditions({ ...kinds, ...known })));
  return kernel.bind([{ source, target, count, first: 0, length: layout.sizeBytes * count }]);
}

/** An idle GPU lowers its clocks, and takes milliseconds to raise them: busy first, measured then. */
function warmUp(contenders) {
  for (const until = performance.now() + 50; performance.now() < until;) {
    for (const { run } of contenders) {
      run(stream);
      stream.synchronize();
    }
  }
}

/**
 * Contenders take turns of 6 calls, of which the first is not counted: it pays for what the one before left in L2.
 * Medians of all counted calls.
 */
function race(workload, count, bytes, direction, route, contenders, isRight, rounds = 15) {
  const samples = contenders.map(() => []);
  warmUp(contenders);
  for (let round = -1; round < rounds; round++) {
    contenders.forEach(({ run }, i) => {
      for (let call = 0; call < 6; call++) {
        const start = process.hrtime.bigint();
        run(stream);
        stream.synchronize();
        if (round >= 0 && call > 0) samples[i].push(Number(process.hrtime.bigint() - start));
      }
    });
  }
  contenders.forEach(({ name, commitNs = 0 }, i) => {
    const times = summarise(samples[i]);
    if (isRight)
      rows.push({
        workload,
        count,
        packedBytes: bytes,
        direction,
        route,
        contender: name,
        ...times,
        verified: true,
        commitNs,
      });
    console.log(
      `${workload.padEnd(40)} ${direction.padEnd(7)}${name.padEnd(22)}${(times.medianNs / 1000).toFixed(2).padStart(9)} us${isRight ? "" : " WRONG"}`,
    );
  });
}

/**
 * Both directions of a layout beside others. Every contender has moved the bytes once, and they were right, before it
 * is timed.
 */
function measure(entry, extra = [], known = {}, label = "cuda-strided", extraUnpacks = []) {
  const bytes = entry.layout.sizeBytes * entry.count;
  const own = (direction) => {
    const start = process.hrtime.bigint();
    const plan = bind(entry, direction, known);
    plan.run(stream).wait();
    const commitNs = Number(process.hrtime.bigint() - start);
    return { name: label, run: (queue) => plan.run(queue), commitNs };
  };
  prepare();
  const pack = own("pack");
  const isRight = [pack, ...extra].every((contender) => packs(contender, entry));
  const limit = {
    name: "memcpy",
    run: (queue) => copyBytes(context, elsewhere.address, elsewhere.address + 64 * MIB, bytes).run(queue),
  };
  race(entry.name, entry.count, bytes, "pack", "device", [pack, limit, ...extra], isRight);
  pack.run(stream);
  const unpacks = [own("unpack"), ...extraUnpacks];
  race(
    entry.name,
    entry.count,
    bytes,
    "unpack",
    "device",
    unpacks,
    unpacks.every((contender) => unpacksFor(contender, pack, entry)),
  );
  prepare();
}

function packs({ run }, entry) {
  packed.fill(0, stream);
  run(stream);
  return verified(entry);
}

/** Unpacks what is packed into cleared memory; packing that again must give the same. */
function unpacksFor({ run }, pack, entry) {
  scattered.fill(0, stream);
  run(stream);
  return packs(pack, entry);
}

const { handContender, pitchedCopy, handTranspose, direct, columnCopies } = contendersOn(
  context,
  scattered,
  packed,
  hand,
);

prepare();
for (const entry of layouts.TRANSPOSES) {
  const copies = entry.name === "FFT2/1" ? [columnCopies(entry)] : [];
  measure(entry, [direct(entry, "pack"), ...handTranspose(entry), ...copies], {}, "cuda-strided", [
    direct(entry, "unpack"),
  ]);
}
if (process.argv.includes("transposes")) process.exit();
for (const entry of [...layouts.VECTORS, layouts.DENSE_PITCH, ...layouts.FACES, ...layouts.APPLICATIONS])
  measure(entry);
for (const group of [layouts.EQUIVALENT, layouts.EQUIVALENT_TWICE]) for (const entry of group) measure(entry);
for (const entry of layouts.RAGGED) measure(entry, [pitchedCopy(entry), ...handContender(entry)]);
for (const smBudget of [1, 4, 8, 16]) measure(layouts.VECTORS[3], [], { smBudget }, `cuda-strided, ${smBudget} SMs`);
for (const smBudget of [1, 4, 8, undefined]) {
  const entry = layouts.VECTORS[3];
  const name = `cuda-strided, ${smBudget ?? "all"} SMs`;
  const [pack, unpack] = ["pack", "unpack"].map((direction) => {
    const plan = bind(entry, direction, smBudget === undefined ? {} : { smBudget }, pinned);
    return { name, run: (queue) => plan.run(queue) };
  });
  pinned.fill(0, stream);
  pack.run(stream);
  const isPacked = verified(entry, pinned);
  race(entry.name, 1, entry.layout.sizeBytes, "pack", "one-shot", [pack], isPacked, 5);
  pack.run(stream);
  const back = bind(entry, "pack");
  race(
    entry.name,
    1,
    entry.layout.sizeBytes,
    "unpack",
    "one-shot",
    [unpack],
    isPacked && unpacksFor(unpack, { run: (queue) => back.run(queue) }, entry),
    5,
  );
  prepare();
}
for (const entry of [
  layouts.VECTORS[2],
  layouts.FACES[1],
  ...layouts.APPLICATIONS.slice(0, 1),
  ...layouts.RAGGED.slice(2, 4),
]) {
  const plans = [backend, specialised].map((by) => bind(entry, "pack", {}, packed, by));
  plans[1].run(stream).wait();
  const both = plans.map((plan, i) => ({
    name: i === 0 ? "cuda-strided" : "cuda-strided, specialised",
    run: (queue) => plan.run(queue),
  }));
  race(entry.name, 1, entry.layout.sizeBytes, "pack", "device", both, verified(entry));
}
// What an event behind the kernel costs, and reading memory that 4 KiB pages of rows spread over.
for (const entry of [layouts.VECTORS[0], layouts.VECTORS[2], layouts.FACES[2]]) {
  const plan = bind(entry, "pack");
  const event = context.event();
  const recorded = (queue) => {
    plan.run(queue);
    event.record(queue);
  };
  const contenders = [
    { name: "cuda-strided", run: (queue) => plan.run(queue) },
    { name: "cuda-strided + event", run: recorded },
  ];
  plan.run(stream).wait();
  race(entry.name, 1, entry.layout.sizeBytes, "pack", "device", contenders, verified(entry));
}
// All three faces, both directions of a halo, in one launch.
const moves = layouts.FACES.flatMap(({ layout }) => [packMove(layout), packMove(layout)]);
const plan = backend.load(backend.compile(moves, conditions(KINDS))).bind(
  moves.map(({ source }, i) => ({
    source: { memory: scattered, originBytes: 0 },
    target: { memory: packed, originBytes: i * 2 * MIB },
    count: 1,
    first: 0,
    length: source.sizeBytes,
  })),
);
plan.run(stream).wait();
const faces = moves.every((_, i) => verified(layouts.FACES[i >> 1], packed, i * 2 * MIB));
race(
  "six faces of 512^3 doubles",
  1,
  12 * MIB,
  "pack",
  "device",
  [{ name: "cuda-strided", run: (queue) => plan.run(queue) }],
  faces,
);

const fetched = context.limit("l2FetchBytes");
context.setLimit("l2FetchBytes", 32);
for (const entry of [layouts.DENSE_PITCH, layouts.VECTORS[0], layouts.VECTORS[2], layouts.FACES[2]])
  measure(entry, [], {}, "cuda-strided, L2 32 B");
context.setLimit("l2FetchBytes", fetched);

const machine = { gpu: driver.devices[0].name, driver: driverText(driver) };
writeResults(result, heading("node packages/backend-cuda-strided/bench/strided.mjs", machine), rows);
