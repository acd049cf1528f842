// Random copies by tables on the device, each after the other, against plain copies in this process:
// node pages-check.mjs [--transfers=100000] [--seed=1] [--simulated]. Lengths, layouts, tables, skipped entries, counts
// in memory, ranges and pools vary; the target is compared as a whole now and then, so that every byte that any copy
// wrote wrongly, or where it was not to, shows.
import { conditions, copyMove, tabledMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, contiguous, forEachRun, hvector, indexedBlock, lower, predefined } from "@stowage/ir";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    transfers: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    simulated: { type: "boolean", default: false },
  },
});
const transfers = Number(values.transfers);
const gpu = new Gpu(values.simulated ? openSimulatedCuda() : openCuda());
const { context, driver, stream } = gpu;
const backend = new CudaGenericBackend({ driver });

let state = Number(values.seed);
const random = (below) => {
  state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5) | 0;
  return ((state ^ (state >>> 13)) >>> 0) % below;
};

const byte = predefined("MPI_BYTE");
/** Pairs of layouts of one size, by the length of their runs. */
const PAGES = [
  ...[1, 4, 12, 17, 48, 128, 131, 132, 144, 512, 515, 656, 1000, 1040, 1152, 2048, 3088].map((length) => [
    contiguous(length, byte),
    contiguous(length, byte),
  ]),
  [hvector(4, 64, 256, byte), contiguous(256, byte)],
  [contiguous(256, byte), hvector(4, 64, 256, byte)],
  [hvector(2, 1, 32, hvector(4, 32, 64, byte)), contiguous(256, byte)],
  [indexedBlock(20, [0, 40, 24], byte), contiguous(60, byte)],
].map((pair) => pair.map((type) => canonicalise(lower(type))));

/** Pages of pools in one launch, by where they stand among the pairs: it has groups then, and words of two widths. */
const MIXES = [
  [656, 132],
  [656, 656, 132],
  [1040, 1000, 48],
  [12, 144, 3088],
  [131, 515],
  [656, 515, 12],
].map((lengths) =>
  lengths.map((length) => PAGES.findIndex(([{ sizeBytes, root }]) => sizeBytes === length && root.kind === "dense")),
);

const SLOTS = 24;
const MOST_REACH = 3088 + 48;
const POOL_BYTES = SLOTS * MOST_REACH;
const POOLS = 3;
const memory = (kind) =>
  kind === "pinned" ? context.pinnedMemory(POOLS * POOL_BYTES) : context.deviceMemory(POOLS * POOL_BYTES);
const kinds = ["device", "device", "pinned"];
const sources = kinds.map(memory);
const targets = kinds.map(memory);
const held = sources.map((source) => {
  const bytes = Uint8Array.from({ length: POOLS * POOL_BYTES }, () => random(256));
  gpu.write(source, bytes);
  return bytes;
});
const expected = targets.map((target) => {
  const bytes = new Uint8Array(POOLS * POOL_BYTES).fill(0xee);
  gpu.write(target, bytes);
  return bytes;
});

const tablesMemory = context.pinnedMemory(4096);
const runsOf = (layout) => {
  const runs = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    for (let i = 0; i < length; i++) runs.push(offset + i);
  });
  return runs;
};
const offsets = new Map(PAGES.flat().map((layout) => [layout, runsOf(layout)]));
const reach = ({ trueLowerBoundBytes, trueExtentBytes }) => trueLowerBoundBytes + trueExtentBytes;
const kernels = new Map();
const compiled = (key, moves, known) => {
  if (!kernels.has(key)) kernels.set(key, backend.load(backend.compile(moves, known)));
  return kernels.get(key);
};
const shuffled = (count) => {
  const slots = Array.from({ length: SLOTS }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + random(SLOTS - i);
    [slots[i], slots[j]] = [slots[j], slots[i]];
  }
  return slots.slice(0, count);
};

/** One copy of some pages in some pools, here and on the device. */
function transfer() {
  const [index, number, from, to] = [
    ["u32", "i64"][random(2)],
    1 + random(POOLS),
    random(kinds.length),
    random(kinds.length),
  ];
  const gap = [0, 16, 48][random(3)];
  const [shared, mixed] = [random(PAGES.length), random(4) === 0 ? MIXES[random(MIXES.length)] : undefined];
  const whole = mixed ?? new Array(number).fill(shared);
  const count = 1 + random(SLOTS);
  const [read, written] = [Array.from({ length: count }, () => random(SLOTS)), shuffled(count)];
  const isCounted = random(4) === 0;
  const moved = isCounted ? random(count + 1) : count;
  for (const list of [read, written]) if (random(4) === 0) list[random(count)] = -1;
  const view = new DataView(tablesMemory.bytes.buffer, tablesMemory.bytes.byteOffset);
  const put = (at, list) =>
    list.forEach((page, k) =>
      index === "u32" ? view.setUint32(at + 4 * k, page >>> 0, true) : view.setBigInt64(at + 8 * k, BigInt(page), true),
    );
  put(0, read);
  put(1024, written);
  view.setUint32(2048, moved, true);
  const at = (buffer, originBytes = 0) => ({ memory: buffer, originBytes });
  const tables = {
    source: at(tablesMemory),
    target: at(tablesMemory, 1024),
    ...(isCounted ? { count: at(tablesMemory, 2048) } : {}),
  };
  const pools = whole.map((which) => {
    const [source, target] = PAGES[which];
    const all = count * source.sizeBytes;
    const first = isCounted ? 0 : random(2) * random(all);
    const length = isCounted ? all : first === 0 && random(2) === 0 ? all : random(all - first + 1);
    return { source, target, strides: [reach(source) + gap, reach(target) + gap], first, length };
  });
  const slice = (buffer, i) => ({
    kind: buffer.kind,
    address: buffer.address + i * POOL_BYTES,
    sizeBytes: POOL_BYTES,
    ...(buffer.kind === "device" ? { device: buffer.device } : {}),
  });
  const moves = pools.map(({ source, target, strides }) =>
    tabledMove(copyMove(source, target), {
      source: { index, strideBytes: strides[0] },
      target: { index, strideBytes: strides[1] },
      skips: true,
    }),
  );
  const bindings = pools.map(({ first, length }, i) => ({
    source: at(slice(sources[from], i)),
    target: at(slice(targets[to], i)),
    count,
    first,
    length,
    tables,
  }));
  const known = conditions({ sourceKind: kinds[from], targetKind: kinds[to], tableKind: "pinned" });
  const kernel = compiled([whole, index, gap, from, to].join(), moves, known);
  kernel.call(bindings, stream).wait();
  pools.forEach(({ source, target, strides, first, length }, i) => {
    const [a, b] = [offsets.get(source), offsets.get(target)];
    for (let k = 0; k < moved; k++) {
      if (read[k] < 0 || written[k] < 0) continue;
      const [low, high] = [Math.max(0, first - k * a.length), Math.min(a.length, first + length - k * a.length)];
      for (let p = low; p < high; p++)
        expected[to][i * POOL_BYTES + written[k] * strides[1] + b[p]] =
          held[from][i * POOL_BYTES + read[k] * strides[0] + a[p]];
    }
  });
}

const COMPARED = 50;
for (let done = 1; done <= transfers; done++) {
  transfer();
  if (done % COMPARED !== 0 && done !== transfers) continue;
  targets.forEach((target, t) => {
    if (Buffer.compare(gpu.read(target, 0, POOLS * POOL_BYTES), expected[t]) === 0) return;
    console.error(`transfers ${done - COMPARED + 1} to ${done}: expected the bytes of plain copies, got others`);
    process.exit(1);
  });
}
for (const kernel of kernels.values()) kernel[Symbol.dispose]();
backend[Symbol.dispose]();
console.log(`${transfers} random transfers on ${context.device.name}: every byte right, none written outside`);
