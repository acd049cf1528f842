import { sizeOf, type Geometry } from "./geometry.js";
import { alongDimension } from "./transpose.js";

/** One move as a launch sees it: where its two sides lie, and the part of the packed stream that moves. */
export interface Transfer {
  readonly geometry: Geometry;
  /** Address of the datatype's address 0 on the scattered side. */
  readonly scatteredAddress: number;
  /** Address of byte 0 of the packed stream; the range starts `first` bytes on. */
  readonly packedAddress: number;
  readonly first: number;
  readonly length: number;
}

export type PackDirection = "pack" | "unpack";

/** What the instructions of a kernel depend on; everything else is a parameter. */
export interface Shape {
  readonly direction: PackDirection;
  /** Bytes of one access on the scattered side: TEMPI's W. */
  readonly wordBytes: number;
  /** Bytes of one access on the packed side: one word or more. */
  readonly vectorBytes: number;
  readonly dimensions: number;
  /** Whether each row is one word, so that no word of a row need be found. */
  readonly unitRows: boolean;
  /** Whether indices or strides pass 31 bits. */
  readonly wide: boolean;
  /** Vectors that one thread moves, all loaded before the first is stored. */
  readonly vectorsPerThread: number;
  /** Whether the bytes touched are more than L2 keeps, so that memory itself is the limit. */
  readonly streams: boolean;
  /** Of a transpose through shared memory: the dimension along which its scattered side is walked. */
  readonly along?: number;
}

/** What of a device the choice of a shape depends on. */
export interface DeviceFacts {
  readonly multiprocessors: number;
  readonly threadsPerMultiprocessor: number;
  readonly l2Bytes: number;
}

const WIDEST = 16;
const NARROW = 2 ** 31;

/** The largest power of two, at most 16, that divides every value. */
export function commonPower(values: Iterable<number>): number {
  let power = WIDEST;
  for (const value of values) while (value % power !== 0) power /= 2;
  return power;
}

/**
 * W divides the row, the strides, both addresses AND the range: TEMPI looks at the block alone, and then faults or
 * moves other bytes where a stride or a base pointer is less aligned. Below it, packed accesses join several words.
 */
export function shapeOf(transfer: Transfer, direction: PackDirection, device: DeviceFacts): Shape {
  const { geometry, scatteredAddress, packedAddress, first, length } = transfer;
  const { startBytes, rowBytes, dimensions } = geometry;
  const strides = dimensions.map(({ strideBytes }) => strideBytes);
  const packedStart = packedAddress + first;
  const wordBytes = commonPower([rowBytes, ...strides, scatteredAddress + startBytes, packedStart, first, length]);
  const words = (first + length) / wordBytes;
  const wide = words >= NARROW || strides.some((stride) => Math.abs(stride) >= NARROW) || dimensions.some(isLong);
  const unitRows = dimensions.length > 0 && rowBytes === wordBytes;
  const known = { direction, wordBytes, dimensions: dimensions.length, unitRows, wide };
  const along = wide || length !== sizeOf(geometry) ? undefined : alongDimension(geometry, wordBytes);
  if (along !== undefined) {
    return { ...known, vectorBytes: wordBytes, vectorsPerThread: 1, streams: 2 * length > device.l2Bytes, along };
  }
  // Joining words of 4 bytes or more was slower in every layout measured (docs/gpu-strided.md).
  const vectorBytes = Math.max(wordBytes, Math.min(4, commonPower([packedStart])));
  const streams = touchedBytes(transfer) > device.l2Bytes;
  return {
    ...known,
    vectorBytes,
    vectorsPerThread: streams && wordBytes > 4 ? 1 : vectorsPerThread(length / vectorBytes, vectorBytes / wordBytes, device),
    streams,
  };
}

const isLong = ({ count }: { readonly count: number }): boolean => count >= NARROW;

/** Enough loads in flight to cover latency, once there is work for every thread of the device; few where there is not. */
function vectorsPerThread(vectors: number, wordsPerVector: number, device: DeviceFacts): number {
  const threads = device.multiprocessors * device.threadsPerMultiprocessor;
  const most = Math.max(1, 4 / wordsPerVector);
  let chosen = 1;
  while (chosen < most && vectors >= 2 * chosen * threads) chosen *= 2;
  return chosen;
}

/** L2 fetches this much at least. */
const FETCH_BYTES = 64;

/** Both sides, the scattered one in whole fetches of each row. */
function touchedBytes({ geometry: { rowBytes, dimensions }, length }: Transfer): number {
  const pitchBytes = Math.abs(dimensions[0]?.strideBytes ?? rowBytes);
  const fetchedBytes = Math.min(Math.ceil(rowBytes / FETCH_BYTES) * FETCH_BYTES, Math.max(pitchBytes, rowBytes));
  return length * (1 + fetchedBytes / rowBytes);
}

/** The part of a kernel's name and of a launch's cache key that says which instructions it has. */
export function shapeName(shape: Shape): string {
  const { direction, wordBytes, vectorBytes, dimensions, unitRows, wide, vectorsPerThread: vectors, streams, along } = shape;
  const flags = `${unitRows ? "u" : ""}${wide ? "w" : ""}${streams ? "s" : ""}${along === undefined ? "" : `t${along}`}`;
  return `${direction}_w${wordBytes}v${vectorBytes}d${dimensions}x${vectors}${flags}`;
}
