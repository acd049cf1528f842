// DMA plans beside the same calls of the driver made by hand, in turns: node dma.mjs RESULT [quick]. Times are of one
// call and its stream sync. `quick` runs each a few times, for a profiler to look for kernels: there must be none.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { heading, summarise, writeResults } from "@stowage/bench";
import { driverText } from "@stowage/bench/device";
import { DmaBackend } from "@stowage/backend-dma";
import { copy2D, copy3D, copyBatch, copyBytes, openCuda } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, hindexedBlock, hvector, lower, predefined } from "@stowage/ir";

const [result, quick] = process.argv.slice(2);
const MIB = 2 ** 20;
const ROUNDS = quick === undefined ? 200 : 3;
const driver = openCuda();
const context = driver.context();
const stream = context.stream();
const backend = new DmaBackend(() => driver);
const scattered = context.deviceMemory(128 * MIB);
const other = context.deviceMemory(64 * MIB);
const pinned = context.pinnedMemory(64 * MIB);
const input = context.pinnedMemory(128 * MIB);
const words = new Uint32Array(input.bytes.buffer, input.bytes.byteOffset, input.sizeBytes / 4);
for (let i = 0; i < words.length; i++) words[i] = Math.imul(i, 2654435761);
copyBytes(context, scattered.address, input.address, input.sizeBytes).run(stream);
stream.synchronize();
const rows = [];
const byte = predefined("MPI_BYTE");
const layoutOf = (datatype) => canonicalise(lower(datatype));

const run = {
  name: "contiguous 16 MiB",
  layout: layoutOf(hvector(1, 16 * MIB, 16 * MIB, byte)),
  hand: (to, from) => copyBytes(context, to.address, from.address, 16 * MIB),
};
const planes = [32, 128, 512].map((width) => ({
  name: `rows of ${width} B, pitch 1024`,
  layout: layoutOf(hvector(65536, width, 1024, byte)),
  hand: (to, from, unpacks) => {
    const side = (memory, pitchBytes) => ({ address: memory.address, host: memory.kind === "pinned", pitchBytes });
    const [target, source] = unpacks ? [side(to, 1024), side(from, width)] : [side(to, width), side(from, 1024)];
    return copy2D(context, target, source, { widthBytes: width, rows: 65536 });
  },
}));
const cube = {
  name: "64 planes of 64 rows of 256 B",
  layout: layoutOf(hvector(64, 1, 256 * 1024, hvector(64, 256, 1024, byte))),
  hand: (to, from, unpacks) => {
    const apart = (memory) => ({
      address: memory.address,
      host: memory.kind === "pinned",
      pitchBytes: 1024,
      planeRows: 256,
    });
    const together = (memory) => ({
      address: memory.address,
      host: memory.kind === "pinned",
      pitchBytes: 256,
      planeRows: 64,
    });
    const [target, source] = unpacks ? [apart(to), together(from)] : [together(to), apart(from)];
    return copy3D(context, target, source, { widthBytes: 256, rows: 64, planes: 64 });
  },
};
const offsets = Array.from({ length: 1000 }, (_, i) => i * 4096 + ((i * 7919) % 61) * 64);
const list = {
  name: "1000 blocks of 512 B by index",
  layout: layoutOf(hindexedBlock(512, offsets, byte)),
  hand: (to, from, unpacks) => {
    const apart = (base) => Float64Array.from(offsets, (offset) => base + offset);
    const together = (base) => Float64Array.from(offsets, (_, i) => base + i * 512);
    const [targets, sources] = unpacks
      ? [apart(to.address), together(from.address)]
      : [together(to.address), apart(from.address)];
    return copyBatch(context, targets, sources, new Float64Array(1000).fill(512));
  },
};

function planFor(layout, direction, packed) {
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  const kinds =
    direction === "pack"
      ? { sourceKind: "device", targetKind: packed.kind }
      : { sourceKind: packed.kind, targetKind: "device" };
  const [own, dense] = [scattered, packed].map((memory) => ({ memory, originBytes: 0 }));
  const [source, target] = direction === "pack" ? [own, dense] : [dense, own];
  const kernel = backend.load(backend.compile([move], conditions(kinds)));
  return kernel.bind([{ source, target, count: 1, first: 0, length: layout.sizeBytes }]);
}

/** The packed bytes against the input they came from. */
function verified(layout, packed) {
  if (packed.kind === "device") copyBytes(context, pinned.address, packed.address, layout.sizeBytes).run(stream);
  stream.synchronize();
  let at = 0;
  let right = true;
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    right &&=
      Buffer.compare(pinned.bytes.subarray(at, at + length), input.bytes.subarray(offset, offset + length)) === 0;
    at += length;
  });
  return right;
}

for (const { name, layout, hand } of [run, ...planes, cube, list]) {
  for (const packed of [other, pinned]) {
    let right = false;
    for (const direction of ["pack", "unpack"]) {
      const plan = planFor(layout, direction, packed);
      const copy = direction === "pack" ? hand(packed, scattered, false) : hand(scattered, packed, true);
      if (direction === "pack") {
        plan.run(stream);
        right = verified(layout, packed);
      }
      const contenders = [
        ["dma", () => plan.run(stream), []],
        ["driver-by-hand", () => copy.run(stream), []],
      ];
      // Busy first: an idle GPU lowers its clocks, and code not yet compiled is slow.
      for (const until = performance.now() + (quick === undefined ? 50 : 0); performance.now() < until;) {
        for (const [, send] of contenders) {
          send();
          stream.synchronize();
        }
      }
      for (let round = -3; round < (name.startsWith("1000") ? ROUNDS / 4 : ROUNDS); round++) {
        for (const [, send, samples] of contenders) {
          const start = process.hrtime.bigint();
          send();
          stream.synchronize();
          if (round >= 0) samples.push(Number(process.hrtime.bigint() - start));
        }
      }
      const medians = contenders.map(([contender, , samples]) => {
        const times = summarise(samples);
        const route = packed.kind === "device" ? "device" : "dma";
        if (right)
          rows.push({
            workload: name,
            count: 1,
            packedBytes: layout.sizeBytes,
            direction,
            route,
            contender,
            ...times,
            verified: true,
            commitNs: 0,
          });
        return times.medianNs;
      });
      const [own, by] = medians.map((ns) => (ns / 1000).toFixed(2).padStart(9));
      console.log(
        `${name.padEnd(32)} ${direction.padEnd(7)}${packed.kind.padEnd(7)} dma ${own} by hand ${by} us, ratio ${(medians[0] / medians[1]).toFixed(3)}${right ? "" : " WRONG"}`,
      );
    }
  }
}
const machine = { gpu: driver.devices[0].name, driver: driverText(driver) };
if (quick === undefined) writeResults(result, heading("node packages/backend-dma/bench/dma.mjs", machine), rows);
