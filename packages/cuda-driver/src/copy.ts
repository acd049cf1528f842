import { check, DriverError } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { isCapturing } from "./capture.js";
import { copiesBatches, versionName } from "./version.js";
import { writeWord } from "./word.js";

/** One side of a copy. `host` says that the address is pageable or pinned host memory. */
export interface CopySide {
  readonly address: number;
  readonly host: boolean;
  /** From one row to the next, for 2D and 3D copies. */
  readonly pitchBytes?: number;
  /** Rows from one plane to the next, for 3D copies. */
  readonly planeRows?: number;
}

export interface Box {
  readonly widthBytes: number;
  readonly rows: number;
  /** 1 unless it is a 3D copy. */
  readonly planes?: number;
}

/** A copy made ready: running it is one call of the driver. The addresses must stay valid. */
export interface Copy {
  run(stream: StreamHandle): void;
  /** Moves both ends by so many bytes, for later runs; allocates nothing. */
  shift(targetBytes: number, sourceBytes: number): void;
}

/** cuMemcpyAsync: bytes side by side. */
export function copyBytes(context: ContextHandle, target: number, source: number, sizeBytes: number): Copy {
  const { libcuda } = context;
  let [to, from] = [target, source];
  return {
    run(stream) {
      context.enter();
      check(libcuda, "cuMemcpyAsync", libcuda.cuMemcpyAsync(to, from, sizeBytes, stream.handle));
    },
    shift(targetBytes, sourceBytes) {
      to += targetBytes;
      from += sourceBytes;
    },
  };
}

/** cuMemcpyPeerAsync: from one device's memory to another's, direct where peer access is there. */
export function copyToPeer(
  target: ContextHandle,
  targetAddress: number,
  source: ContextHandle,
  sourceAddress: number,
  sizeBytes: number,
): Copy {
  const { libcuda } = source;
  let [to, from] = [targetAddress, sourceAddress];
  return {
    run(stream) {
      source.enter();
      const result = libcuda.cuMemcpyPeerAsync(to, target.handle, from, source.handle, sizeBytes, stream.handle);
      check(libcuda, "cuMemcpyPeerAsync", result);
    },
    shift(targetBytes, sourceBytes) {
      to += targetBytes;
      from += sourceBytes;
    },
  };
}

// CU_MEMORYTYPE_HOST and _DEVICE, cuda.h 13.0.
const memoryType = (side: CopySide): number => (side.host ? 1 : 2);
const hostAddress = (side: CopySide): number => (side.host ? side.address : 0);
const deviceAddress = (side: CopySide): number => (side.host ? 0 : side.address);
const pitch = (side: CopySide, box: Box): number => side.pitchBytes ?? box.widthBytes;
const height = (side: CopySide, box: Box): number => side.planeRows ?? box.rows;

/** cuMemcpy2DAsync: rows of equal width. Throws a DriverError where a pitch is past the device's maximum. */
export function copy2D(context: ContextHandle, target: CopySide, source: CopySide, box: Box): StructuredCopy {
  requirePitches(context, target, source, box);
  // CUDA_MEMCPY2D, v2: x, y, type, host, device, array, pitch for each side; width, height.
  const side = (of: CopySide) => [0, 0, memoryType(of), hostAddress(of), deviceAddress(of), 0, pitch(of, box)];
  const words = [...side(source), ...side(target), box.widthBytes, box.rows];
  return structuredCopy(context, "cuMemcpy2DAsync_v2", words, {
    source: source.host ? 3 : 4,
    target: target.host ? 10 : 11,
  });
}

/** cuMemcpy3DAsync: planes of rows. Throws a DriverError where a pitch is past the device's maximum. */
export function copy3D(context: ContextHandle, target: CopySide, source: CopySide, box: Box): StructuredCopy {
  requirePitches(context, target, source, box);
  // CUDA_MEMCPY3D, v2: x, y, z, LOD, type, host, device, array, reserved, pitch, height for each side; the box.
  const position = [0, 0, 0, 0];
  const side = (of: CopySide) => [
    ...position,
    ...[memoryType(of), hostAddress(of), deviceAddress(of), 0, 0, pitch(of, box), height(of, box)],
  ];
  const words = [...side(source), ...side(target), box.widthBytes, box.rows, box.planes ?? 1];
  return structuredCopy(context, "cuMemcpy3DAsync_v2", words, {
    source: source.host ? 5 : 6,
    target: target.host ? 16 : 17,
  });
}

/** A 2D or 3D copy, and the words that the driver reads, as halves. */
export interface StructuredCopy extends Copy {
  readonly structure: Uint32Array;
}

type StructuredCall = "cuMemcpy2DAsync_v2" | "cuMemcpy3DAsync_v2";

/** The copy holds its structure, so that it lives as long as the address is used. `at`: the words of the addresses. */
function structuredCopy(
  context: ContextHandle,
  call: StructuredCall,
  words: readonly number[],
  at: { readonly source: number; readonly target: number },
): StructuredCopy {
  const { libcuda } = context;
  const structure = wordsOf(words);
  const address = libcuda.addressOf(structure);
  let [to, from] = [words[at.target] as number, words[at.source] as number];
  return {
    structure,
    run(stream) {
      context.enter();
      check(libcuda, call, libcuda[call](address, stream.handle));
    },
    shift(targetBytes, sourceBytes) {
      writeWord(structure, at.target, (to += targetBytes));
      writeWord(structure, at.source, (from += sourceBytes));
    },
  };
}

/** 64-bit words as halves, in memory of their own. */
function wordsOf(values: ArrayLike<number>): Uint32Array {
  const halves = new Uint32Array(values.length * 2);
  for (let i = 0; i < values.length; i++) writeWord(halves, i, values[i] as number);
  return halves;
}

function requirePitches(context: ContextHandle, target: CopySide, source: CopySide, box: Box): void {
  const most = context.device.maxPitchBytes;
  for (const { pitchBytes = box.widthBytes } of [target, source]) {
    if (pitchBytes >= box.widthBytes && pitchBytes <= most) continue;
    const expected = `${box.widthBytes} to ${most} bytes`;
    throw new DriverError("pitch of a 2D or 3D copy", undefined, `expected ${expected}, got ${pitchBytes}`);
  }
}

/** Many copies in one call; entry i moves sizes[i] bytes. All addresses must be pinned or device memory. */
export interface BatchCopy extends Copy {
  readonly count: number;
  /** What the driver reads at each run. */
  readonly views: readonly ArrayBufferView[];
}

// CUmemcpyAttributes: the source is read in stream order; no location hints. 24 bytes.
const IN_STREAM_ORDER = 1;

/**
 * cuMemcpyBatchAsync, over lists that are the copy's from now on. Throws a DriverError where the driver is older than CUDA 12.8; running it on a capturing
 * stream throws before anything is sent, because graphs cannot hold batches.
 */
export function copyBatch(
  context: ContextHandle,
  targets: Float64Array,
  sources: Float64Array,
  sizes: Float64Array,
): BatchCopy {
  if (!copiesBatches(context)) {
    const text = `expected CUDA 12.8 or later, got ${versionName(context.version)}: update the NVIDIA driver`;
    throw new DriverError("cuMemcpyBatchAsync", undefined, text);
  }
  const { libcuda } = context;
  const count = targets.length;
  const attributes = Uint32Array.of(IN_STREAM_ORDER, 0, 0, 0, 0, 0);
  const [targetWords, sourceWords] = [wordsOf(targets), wordsOf(sources)];
  const views = [targetWords, sourceWords, wordsOf(sizes), attributes, new BigUint64Array(1), new BigUint64Array(1)];
  const [to = 0, from = 0, bytes = 0, kinds = 0, indices = 0, failed = 0] = views.map(libcuda.addressOf);
  return {
    count,
    views,
    run(stream) {
      requireNotCapturing(context, stream);
      const result = libcuda.cuMemcpyBatchAsync(to, from, bytes, count, kinds, indices, 1, failed, stream.handle);
      check(libcuda, "cuMemcpyBatchAsync", result);
    },
    shift(targetBytes, sourceBytes) {
      shiftAll(targets, targetWords, targetBytes);
      shiftAll(sources, sourceWords, sourceBytes);
    },
  };
}

function shiftAll(addresses: Float64Array, words: Uint32Array, bytes: number): void {
  if (bytes === 0) return;
  for (let i = 0; i < addresses.length; i++) writeWord(words, i, (addresses[i] = (addresses[i] as number) + bytes));
}

function requireNotCapturing(context: ContextHandle, stream: StreamHandle): void {
  if (!isCapturing(context, stream)) return;
  const text = "expected a stream that is not capturing, got one that is: graphs cannot hold batches of copies";
  throw new DriverError("cuMemcpyBatchAsync", undefined, text);
}
