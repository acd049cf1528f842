// Launches, graphs, events and copies by every route of the driver, seen from Node. Prints one JSON object a line:
// {name, bytes, medianNs, minNs, maxNs, runs}. c/driver.c measures the same from C; experiments/driver.mjs runs both.
import { copy2D, copy3D, copyBatch, copyBytes, openCuda } from "@stowage/cuda-driver";
import { summarise } from "@stowage/bench";
import { copyWords, nothing } from "./driver-kernels.mjs";
import { printed } from "./programs.mjs";

const MIB = 2 ** 20;
const started = process.hrtime.bigint();
const driver = openCuda();
const context = driver.context();
const stream = context.stream();
const launch = context.kernel(nothing).launch(8, { grid: { x: 1 }, block: { x: 32 } });
launch.run(stream);
stream.synchronize();
console.log(
  JSON.stringify({
    name: "driver load and first kernel",
    bytes: 0,
    ...summarise([Number(process.hrtime.bigint() - started)]),
  }),
);

const sync = () => stream.synchronize();
printed("stream sync, idle", 0, 500, sync);
printed("launch", 0, 200, () => launch.run(stream), { each: 50, settle: sync });
printed("launch + sync", 0, 1000, () => {
  launch.run(stream);
  stream.synchronize();
});
const event = context.event();
printed("event record", 0, 200, () => event.record(stream), { each: 50, settle: sync });
printed("event query", 0, 200, () => event.query(), { each: 50, settle: sync });
printed("launch + record + poll", 0, 1000, () => {
  launch.run(stream);
  event.record(stream);
  while (!event.query());
});
for (const kernels of [1, 26]) {
  const graph = stream.capture(() => {
    for (let i = 0; i < kernels; i++) launch.run(stream);
  });
  const executable = graph.instantiate();
  printed(`graph of ${kernels} kernels + sync`, 0, 500, () => {
    executable.launch(stream);
    stream.synchronize();
  });
  printed(`${kernels} launches + sync`, 0, 300, () => {
    for (let i = 0; i < kernels; i++) launch.run(stream);
    stream.synchronize();
  });
}

const LARGEST = 256 * MIB;
const [from, to] = [context.deviceMemory(LARGEST), context.deviceMemory(LARGEST)];
const pinned = context.pinnedMemory(64 * MIB);
from.fill(7, stream);
pinned.bytes.fill(9);
function route(name, bytes, copy, runs) {
  printed(name, bytes, runs ?? (bytes > MIB ? 60 : 300), () => {
    copy.run(stream);
    stream.synchronize();
  });
}
for (const bytes of [8, MIB, 64 * MIB, LARGEST]) {
  route("copy device to device", bytes, copyBytes(context, to.address, from.address, bytes));
  if (bytes > pinned.sizeBytes) continue;
  route("copy device to pinned", bytes, copyBytes(context, pinned.address, from.address, bytes));
  route("copy pinned to device", bytes, copyBytes(context, to.address, pinned.address, bytes));
}
const side = (memory, pitchBytes, planeRows) => ({
  address: memory.address,
  host: memory.kind === "pinned",
  pitchBytes,
  planeRows,
});
for (const width of [8, 32, 128, 512]) {
  const rows = Math.min(65536, (16 * MIB) / width);
  const box = { widthBytes: width, rows };
  const source = side(from, 1024);
  route(`2D of ${width} B to device`, width * rows, copy2D(context, side(to, width), source, box));
  route(`2D of ${width} B to pinned`, width * rows, copy2D(context, side(pinned, width), source, box));
  const cube = { widthBytes: width, rows: rows / 64, planes: 64 };
  route(
    `3D of ${width} B to device`,
    width * rows,
    copy3D(context, side(to, width, rows / 64), side(from, 1024, rows / 64), cube),
  );
}
if (driver.copiesBatches) {
  const count = 1000;
  const list = (start, step) => Float64Array.from({ length: count }, (_, i) => start + i * step);
  const sizes = new Float64Array(count).fill(512);
  const sources = list(from.address, 4096);
  route("batch of 1000 to device", count * 512, copyBatch(context, list(to.address, 512), sources, sizes), 60);
  route("batch of 1000 to pinned", count * 512, copyBatch(context, list(pinned.address, 512), sources, sizes), 60);
}
const mapped = context.kernel(copyWords);
for (const blocks of [1, 4, 132]) {
  const zeroCopy = mapped.launch(24, { grid: { x: blocks }, block: { x: 256 } });
  zeroCopy.parameters.setBigUint64(0, BigInt(pinned.deviceAddress), true);
  zeroCopy.parameters.setBigUint64(8, BigInt(from.address), true);
  zeroCopy.parameters.setBigUint64(16, BigInt((64 * MIB) / 16), true);
  route(`mapped write by ${blocks} blocks`, 64 * MIB, zeroCopy, 30);
}
