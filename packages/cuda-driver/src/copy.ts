import { check, DriverError } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { wordsOf, writeWord } from "./word.js";

/** One side of a copy. */
export interface CopySide {
  /** The address of the side's first byte. */
  readonly address: number;
  /** Whether the address is pageable or pinned host memory. */
  readonly host: boolean;
  /** Bytes from one row to the next, for 2D and 3D copies. Default: the width of the box. */
  readonly pitchBytes?: number;
  /** Rows from one plane to the next, for 3D copies. Default: the rows of the box. */
  readonly planeRows?: number;
}

/** The size of a box of rows, for 2D and 3D copies. */
export interface Box {
  /** The bytes of a row. */
  readonly widthBytes: number;
  /** The rows of a plane. */
  readonly rows: number;
  /** The number of planes, for 3D copies. Default: 1. */
  readonly planes?: number;
}

/**
 * A copy that was made ready: running it is one call of the driver. The memory at its addresses must stay allocated.
 */
export interface Copy {
  /** Sends the copy to a stream. Throws a DriverError where the driver refuses it. */
  run(stream: StreamHandle): void;
  /** Moves both ends by so many bytes, for later runs; allocates nothing. */
  shift(targetBytes: number, sourceBytes: number): void;
}

/**
 * Makes a copy of `sizeBytes` contiguous bytes from the address `source` to the address `target` (cuMemcpyAsync). Each
 * may be host or device memory.
 */
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

/**
 * Makes a copy from one device's memory to another's (cuMemcpyPeerAsync), direct where peer access is enabled. It runs
 * on streams of the source's context.
 */
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

/**
 * Makes a copy of rows of equal width (cuMemcpy2DAsync). Throws a DriverError where a pitch is past the device's
 * maximum.
 */
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

/**
 * Makes a copy of planes of rows (cuMemcpy3DAsync). Throws a DriverError where a pitch is past the device's maximum.
 */
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

/** A 2D or 3D copy, with the structure that the driver reads. */
export interface StructuredCopy extends Copy {
  /** CUDA_MEMCPY2D or CUDA_MEMCPY3D: each word of 64 bits as two halves, the lower first. */
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

export function requirePitches(context: ContextHandle, target: CopySide, source: CopySide, box: Box): void {
  const most = context.device.maxPitchBytes;
  for (const { pitchBytes = box.widthBytes } of [target, source]) {
    if (pitchBytes >= box.widthBytes && pitchBytes <= most) continue;
    const expected = `${box.widthBytes} to ${most} bytes`;
    throw new DriverError("pitch of a 2D or 3D copy", undefined, `expected ${expected}, got ${pitchBytes}`);
  }
}
