import { summarise } from "@stowage/bench";
import type { Gpu } from "@stowage/bench/device";
import type { Figures } from "@stowage/backend-api";
import {
  copyBatch,
  copyBytes,
  DriverError,
  type Copy,
  type DeviceMemory,
  type PinnedMemory,
} from "@stowage/cuda-driver";

const SAMPLES = 9;
const SMALL_BYTES = 4096;
const LARGE_BYTES = 2 ** 24;
/** Bytes that a simulated bus moves, by this process. */
const SIMULATED_BYTES = 2 ** 18;
const BATCH = 256;
const HANDOVERS = 32;

/**
 * What routes are predicted from: latency and bandwidth of the bus and of the host's own copy;
 * packages/routes/src/figures.ts.
 */
export function routeFigures(gpu: Gpu): Figures {
  const largeBytes = gpu.driver.simulated ? SIMULATED_BYTES : LARGE_BYTES;
  using device = gpu.context.deviceMemory(largeBytes);
  using pinned = gpu.context.pinnedMemory(largeBytes);
  const seenNs = seen(gpu, copyBytes(gpu.context, pinned.address, device.address, SMALL_BYTES));
  const copyNs = elapsed(gpu, (stream) =>
    copyBytes(gpu.context, pinned.address, device.address, SMALL_BYTES).run(stream),
  );
  const figures = {
    copyNs,
    seenNs,
    busBytesPerNs: busBytesPerNs(gpu, device, pinned, seenNs),
    hostCopyBytesPerNs: hostCopyBytesPerNs(pinned),
    handoverNs: handoverNs(gpu, device, pinned),
    ...sectionFigure(gpu, device, pinned, seenNs),
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]));
}

const median = (sample: () => number): number =>
  summarise(Array.from({ length: SAMPLES }, () => Math.max(1, sample()))).medianNs;

function wallNs(work: () => void): number {
  const begin = performance.now();
  work();
  return (performance.now() - begin) * 1e6;
}

/** From the call until the host has seen the end. */
const seen = ({ stream }: Gpu, copy: Pick<Copy, "run">): number =>
  median(() =>
    wallNs(() => {
      copy.run(stream);
      stream.synchronize();
    }),
  );

/** On the device, between events. */
function elapsed({ context, stream }: Gpu, send: (stream: Gpu["stream"]) => void): number {
  using begin = context.event({ timed: true });
  using end = context.event({ timed: true });
  return median(() => {
    begin.record(stream);
    send(stream);
    end.record(stream);
    stream.synchronize();
    return end.millisecondsSince(begin) * 1e6;
  });
}

/** The mean bandwidth of both directions. */
function busBytesPerNs(gpu: Gpu, device: DeviceMemory, pinned: PinnedMemory, seenNs: number): number {
  const { sizeBytes } = device;
  const toHost = seen(gpu, copyBytes(gpu.context, pinned.address, device.address, sizeBytes));
  const fromHost = seen(gpu, copyBytes(gpu.context, device.address, pinned.address, sizeBytes));
  return (2 * sizeBytes) / Math.max(1, toHost + fromHost - 2 * seenNs);
}

function hostCopyBytesPerNs({ bytes }: PinnedMemory): number {
  const pageable = new Uint8Array(bytes.length).fill(1);
  return bytes.length / median(() => wallNs(() => bytes.set(pageable)));
}

/** What each copy of a batch after the first takes; nothing where the driver is too old for batches. */
function sectionFigure(gpu: Gpu, device: DeviceMemory, pinned: PinnedMemory, seenNs: number): Figures {
  try {
    return { sectionNs: sectionNs(gpu, device, pinned, seenNs) };
  } catch (error) {
    if (error instanceof DriverError) return {};
    throw error;
  }
}

function sectionNs(gpu: Gpu, device: DeviceMemory, pinned: PinnedMemory, seenNs: number): number {
  const places = (address: number): Float64Array => Float64Array.from({ length: BATCH }, (_, i) => address + 512 * i);
  const sizes = new Float64Array(BATCH).fill(256);
  const batch = copyBatch(gpu.context, places(pinned.address), places(device.address), sizes);
  return Math.max(1, seen(gpu, batch) - seenNs) / (BATCH - 1);
}

/** Copies that go to and fro between two streams beside as many on one. */
function handoverNs(gpu: Gpu, device: DeviceMemory, pinned: PinnedMemory): number {
  const { context, stream } = gpu;
  using other = context.stream();
  const event = (): ReturnType<typeof context.event> => context.event();
  const events = Array.from({ length: HANDOVERS }, event);
  const copy = copyBytes(context, pinned.address, device.address, SMALL_BYTES);
  try {
    const alone = elapsed(gpu, () => events.forEach(() => copy.run(stream)));
    const handed = elapsed(gpu, () =>
      events.forEach((each, i) => {
        const [from, to] = i % 2 === 0 ? [stream, other] : [other, stream];
        copy.run(from);
        each.record(from);
        to.waitFor(each);
      }),
    );
    return Math.max(1, handed - alone) / HANDOVERS;
  } finally {
    for (const each of events) each[Symbol.dispose]();
  }
}
