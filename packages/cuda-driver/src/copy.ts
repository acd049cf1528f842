import { check, DriverError } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { isCapturing } from "./capture.js";
import { copiesBatches, versionName } from "./version.js";

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
}

/** cuMemcpyAsync: bytes side by side. */
export function copyBytes(context: ContextHandle, target: number, source: number, sizeBytes: number): Copy {
  const { libcuda } = context;
  return {
    run(stream) {
      context.enter();
      check(libcuda, "cuMemcpyAsync", libcuda.cuMemcpyAsync(target, source, sizeBytes, stream.handle));
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
  return {
    run(stream) {
      source.enter();
      const [to, from] = [target.handle, source.handle];
      const result = libcuda.cuMemcpyPeerAsync(targetAddress, to, sourceAddress, from, sizeBytes, stream.handle);
      check(libcuda, "cuMemcpyPeerAsync", result);
    },
  };
}

// CU_MEMORYTYPE_HOST and _DEVICE, cuda.h 13.0.
const memoryType = (side: CopySide): bigint => (side.host ? 1n : 2n);
const hostAddress = (side: CopySide): bigint => (side.host ? BigInt(side.address) : 0n);
const deviceAddress = (side: CopySide): bigint => (side.host ? 0n : BigInt(side.address));
const pitch = (side: CopySide, box: Box): bigint => BigInt(side.pitchBytes ?? box.widthBytes);
const height = (side: CopySide, box: Box): bigint => BigInt(side.planeRows ?? box.rows);

/** cuMemcpy2DAsync: rows of equal width. Throws a DriverError where a pitch is past the device's maximum. */
export function copy2D(context: ContextHandle, target: CopySide, source: CopySide, box: Box): Copy {
  requirePitches(context, target, source, box);
  // CUDA_MEMCPY2D, v2: x, y, type, host, device, array, pitch for each side; width, height.
  const side = (of: CopySide) => [0n, 0n, memoryType(of), hostAddress(of), deviceAddress(of), 0n, pitch(of, box)];
  return structuredCopy(context, "cuMemcpy2DAsync_v2", [
    ...side(source),
    ...side(target),
    BigInt(box.widthBytes),
    BigInt(box.rows),
  ]);
}

/** cuMemcpy3DAsync: planes of rows. Throws a DriverError where a pitch is past the device's maximum. */
export function copy3D(context: ContextHandle, target: CopySide, source: CopySide, box: Box): Copy {
  requirePitches(context, target, source, box);
  // CUDA_MEMCPY3D, v2: x, y, z, LOD, type, host, device, array, reserved, pitch, height for each side; the box.
  const position = [0n, 0n, 0n, 0n];
  const side = (of: CopySide) => [
    ...position,
    ...[memoryType(of), hostAddress(of), deviceAddress(of), 0n, 0n, pitch(of, box), height(of, box)],
  ];
  return structuredCopy(context, "cuMemcpy3DAsync_v2", [
    ...side(source),
    ...side(target),
    ...[box.widthBytes, box.rows, box.planes ?? 1].map(BigInt),
  ]);
}

type StructuredCall = "cuMemcpy2DAsync_v2" | "cuMemcpy3DAsync_v2";

/** The copy holds its structure, so that it lives as long as the address is used. */
function structuredCopy(
  context: ContextHandle,
  call: StructuredCall,
  words: readonly bigint[],
): Copy & { readonly structure: BigUint64Array } {
  const { libcuda } = context;
  const structure = BigUint64Array.from(words);
  const address = libcuda.addressOf(structure);
  return {
    structure,
    run(stream) {
      context.enter();
      check(libcuda, call, libcuda[call](address, stream.handle));
    },
  };
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
 * cuMemcpyBatchAsync. Throws a DriverError where the driver is older than CUDA 12.8; running it on a capturing
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
  const words = (values: Float64Array) => BigUint64Array.from(values, BigInt);
  const attributes = Uint32Array.of(IN_STREAM_ORDER, 0, 0, 0, 0, 0);
  const views = [
    words(targets),
    words(sources),
    words(sizes),
    attributes,
    new BigUint64Array(1),
    new BigUint64Array(1),
  ];
  const [to = 0, from = 0, bytes = 0, kinds = 0, indices = 0, failed = 0] = views.map(libcuda.addressOf);
  return {
    count,
    views,
    run(stream) {
      requireNotCapturing(context, stream);
      const result = libcuda.cuMemcpyBatchAsync(to, from, bytes, count, kinds, indices, 1, failed, stream.handle);
      check(libcuda, "cuMemcpyBatchAsync", result);
    },
  };
}

function requireNotCapturing(context: ContextHandle, stream: StreamHandle): void {
  if (!isCapturing(context, stream)) return;
  const text = "expected a stream that is not capturing, got one that is: graphs cannot hold batches of copies";
  throw new DriverError("cuMemcpyBatchAsync", undefined, text);
}
