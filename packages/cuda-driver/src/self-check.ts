import { buildKernel } from "@stowage/ptx";
import { DriverError } from "./check.js";
import type { Context } from "./context.js";
import { copyBatch } from "./batch-copy.js";
import { copy2D, copy3D, copyBytes, type Copy } from "./copy.js";
import { shareEvent, shareMemory } from "./ipc.js";
import type { DeviceMemory, PinnedMemory } from "./memory.js";
import { describePointer } from "./pointer.js";
import type { OwnStream } from "./stream.js";

/** One thing that a driver must do, after it was tried. */
export interface SelfCheck {
  /** What was tried. */
  readonly name: string;
  /** What went wrong, in one line. Absent where all was right. */
  readonly failure?: string;
}

interface Bench {
  readonly context: Context;
  readonly stream: OwnStream;
  readonly device: DeviceMemory;
  readonly input: PinnedMemory;
  readonly output: PinnedMemory;
}

const BYTES = 4096;

/** target[i] = source[i] + addend, a 4-byte word a thread. */
const addWords = buildKernel(
  "add_words",
  { parameters: { target: "u64", source: "u64", addend: "u32" }, maxThreads: 256 },
  (builder, { target, source, addend }) => {
    const offset = builder.globalThread().shl(2);
    const word = builder.load("global", source.add(offset), { bits: 32 });
    builder.store("global", target.add(offset), [word.add(addend)], { bits: 32 });
  },
);

/**
 * Tries every route of a driver on a few KiB and compares the bytes: kernels, graphs, events, copies of each kind,
 * pointer facts, the errors that must come. For `doctor` commands and for tests; it leaves nothing behind.
 */
export function selfCheck(context: Context): readonly SelfCheck[] {
  using stream = context.stream();
  using device = context.deviceMemory(BYTES * 4);
  using input = context.pinnedMemory(BYTES);
  using output = context.pinnedMemory(BYTES);
  const bench = { context, stream, device, input, output };
  return Object.entries(CHECKS).map(([name, run]) => {
    prepare(bench);
    const failure = attempt(() => run(bench));
    return Object.freeze({ name, ...(failure === undefined ? {} : { failure }) });
  });
}

const CHECKS: Readonly<Record<string, (bench: Bench) => string | undefined>> = {
  "copies of bytes": (bench) => {
    send(bench, copyBytes(bench.context, bench.output.address, bench.device.address, BYTES));
    return differs(bench, (i) => i);
  },
  "copies from pageable memory": ({ context, stream, device, output }) => {
    const pageable = new Uint8Array(BYTES).fill(42);
    const { libcuda } = context;
    copyBytes(context, device.address, libcuda.addressOf(pageable), BYTES).run(stream);
    copyBytes(context, output.address, device.address, BYTES).run(stream);
    stream.synchronize();
    return output.bytes.every((byte) => byte === 42) ? undefined : "expected bytes of 42, got others";
  },
  "2D copies": (bench) => {
    const { context, device, output } = bench;
    const source = { address: device.address, host: false, pitchBytes: 64 };
    const target = { address: output.address, host: true, pitchBytes: 16 };
    send(bench, copy2D(context, target, source, { widthBytes: 16, rows: 64 }));
    return differs(bench, (i) => (i < 1024 ? Math.floor(i / 16) * 64 + (i % 16) : undefined));
  },
  "3D copies": (bench) => {
    const { context, device, output } = bench;
    const source = { address: device.address, host: false, pitchBytes: 64, planeRows: 16 };
    const target = { address: output.address, host: true, pitchBytes: 16, planeRows: 8 };
    send(bench, copy3D(context, target, source, { widthBytes: 16, rows: 8, planes: 4 }));
    const row = (i: number): number => Math.floor(i / 16) % 8;
    return differs(bench, (i) => (i < 512 ? Math.floor(i / 128) * 1024 + row(i) * 64 + (i % 16) : undefined));
  },
  "batches of copies": (bench) => {
    if (!bench.context.copiesBatches) return undefined;
    const { context, device, output } = bench;
    const list = (start: number, step: number) => Float64Array.from({ length: 64 }, (_, i) => start + i * step);
    send(bench, copyBatch(context, list(output.address, 16), list(device.address, 64), new Float64Array(64).fill(16)));
    return differs(bench, (i) => (i < 1024 ? Math.floor(i / 16) * 64 + (i % 16) : undefined));
  },
  kernels: (bench) => {
    add(bench, 3).run(bench.stream);
    bench.stream.synchronize();
    return added(bench, 3);
  },
  "graphs, and changed parameters of their kernels": (bench) => {
    const { stream } = bench;
    const launch = add(bench, 1);
    using graph = stream.capture(() => launch.run(stream));
    using executable = graph.instantiate();
    executable.launch(stream);
    stream.synchronize();
    const first = added(bench, 1);
    launch.parameters.setUint32(16, 5, true);
    executable.update(graph.kernelNodes()[0] ?? 0, launch);
    executable.launch(stream);
    stream.synchronize();
    return first ?? added(bench, 5);
  },
  "events across streams": (bench) => {
    const { context, stream } = bench;
    using other = context.stream();
    using event = context.event();
    add(bench, 7).run(other);
    event.record(other);
    stream.waitFor(event);
    stream.synchronize();
    return event.query() ? added(bench, 7) : "expected the event to be reached, got not";
  },
  "timed events": ({ context, stream }) => {
    using start = context.event({ timed: true });
    using end = context.event({ timed: true });
    start.record(stream);
    end.record(stream);
    end.synchronize();
    return end.millisecondsSince(start) >= 0 ? undefined : "expected time to pass forwards";
  },
  "pointer facts": ({ context, device, input }) => {
    const kinds = [device.address + 5, input.address].map((address) => describePointer(context, address).kind);
    const start = describePointer(context, device.address + 5).startAddress;
    if (kinds.join() !== "device,pinned") return `expected device,pinned, got ${kinds.join()}`;
    return start === device.address ? undefined : `expected the start ${device.address}, got ${start}`;
  },
  "registered memory": (bench) => {
    const { context, device, stream } = bench;
    const view = new Uint8Array(new ArrayBuffer(BYTES));
    using registered = context.register(view);
    copyBytes(context, registered.address, device.address, BYTES).run(stream);
    stream.synchronize();
    return view[77] === 77 ? undefined : `expected byte 77 to be 77, got ${view[77]}`;
  },
  "managed memory": ({ context, device, stream }) => {
    using managed = context.managedMemory(BYTES);
    copyBytes(context, managed.address, device.address, BYTES).run(stream);
    stream.synchronize();
    return managed.bytes[99] === 99 ? undefined : `expected byte 99 to be 99, got ${managed.bytes[99]}`;
  },
  "handles for other processes": ({ context, device }) => {
    using event = context.event({ shared: true });
    const handles = [shareMemory(device), shareEvent(event)];
    return handles.every((handle) => handle.some((byte) => byte !== 0)) ? undefined : "expected handles, got zeros";
  },
  "refusal of batches in a capture": ({ context, stream, device, output }) => {
    if (!context.copiesBatches) return undefined;
    const one = (value: number) => Float64Array.of(value);
    const copy = copyBatch(context, one(output.address), one(device.address), one(16));
    return refused(() => void stream.capture(() => copy.run(stream)), "not capturing");
  },
  "refusal of more memory than there is": ({ context }) =>
    refused(() => void context.deviceMemory(context.device.totalBytes * 2), "CUDA_ERROR_OUT_OF_MEMORY"),
  "refusal of text that is no PTX": ({ context }) =>
    refused(() => void context.module(".version 7.8\n.target sm_75\nnonsense"), "CUDA_ERROR_INVALID_PTX"),
};

function prepare({ context, stream, device, input, output }: Bench): void {
  const { bytes } = input;
  for (let i = 0; i < BYTES; i++) bytes[i] = i;
  output.bytes.fill(0);
  copyBytes(context, device.address, input.address, BYTES).run(stream);
  stream.synchronize();
}

function send({ stream }: Bench, copy: Copy): void {
  copy.run(stream);
  stream.synchronize();
}

function add({ context, device, output }: Bench, addend: number) {
  const launch = context.kernel(addWords).launch(20, { grid: { x: BYTES / 1024 }, block: { x: 256 } });
  launch.parameters.setBigUint64(0, BigInt(output.deviceAddress), true);
  launch.parameters.setBigUint64(8, BigInt(device.address), true);
  launch.parameters.setUint32(16, addend, true);
  return launch;
}

function added({ input, output }: Bench, addend: number): string | undefined {
  const words = (memory: PinnedMemory) => new Uint32Array(memory.bytes.buffer, memory.bytes.byteOffset, BYTES / 4);
  const [from, to] = [words(input), words(output)];
  const wrong = from.findIndex((word, i) => to[i] !== (word + addend) >>> 0);
  return wrong < 0 ? undefined : `expected word ${wrong} to be ${(from[wrong] ?? 0) + addend}, got ${to[wrong]}`;
}

/** Compares the output with the prepared bytes; `from` names the source byte of each, undefined for untouched zeros. */
function differs({ output }: Bench, from: (i: number) => number | undefined): string | undefined {
  for (let i = 0; i < BYTES; i++) {
    const source = from(i);
    const expected = source === undefined ? 0 : source & 255;
    if (output.bytes[i] !== expected) return `expected byte ${i} to be ${expected}, got ${output.bytes[i]}`;
  }
  return undefined;
}

function refused(run: () => void, words: string): string | undefined {
  const failure = attempt(run);
  if (failure === undefined) return "expected a refusal, got none";
  return failure.includes(words) ? undefined : `expected a refusal with ${words}, got ${failure}`;
}

function attempt(run: () => string | undefined | void): string | undefined {
  try {
    return run() ?? undefined;
  } catch (error) {
    if (error instanceof DriverError) return error.message;
    throw error;
  }
}
