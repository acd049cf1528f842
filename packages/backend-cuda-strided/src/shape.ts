import type { Direction } from "@stowage/backend-api";
import { commonAlignment, type Box } from "@stowage/ir";
import type { TargetBox, Transfer } from "./transfer.js";
import { tilingOf } from "./transpose.js";

/** The properties that a kernel's instructions depend on; all else of a move is a parameter. */
export interface Shape {
  /** What the kernel does. */
  readonly direction: Direction;
  /** Bytes of one access on the scattered side: TEMPI's W. */
  readonly wordBytes: number;
  /** Bytes of one access on the packed side: one word or more. */
  readonly vectorBytes: number;
  /** How many dimensions of strides the box has beside its rows. */
  readonly dimensions: number;
  /** Whether each row is one word, so that no word of a row need be found. */
  readonly unitRows: boolean;
  /** Whether indices or strides pass 31 bits. */
  readonly wide: boolean;
  /** How many vectors one thread moves, all loaded before the first is stored. */
  readonly vectorsPerThread: number;
  /** Whether the bytes touched are more than L2 keeps, so that memory itself is the limit. */
  readonly streams: boolean;
  /** How a copy's target is walked. Absent: the move is no copy. */
  readonly target?: Pick<Shape, "dimensions" | "unitRows">;
  /**
   * Whether the shape's kernel stays on the device between calls, while other work changes what it reads. Default:
   * false.
   */
  readonly resident?: boolean;
  /**
   * The dimension along which a transpose through shared memory walks its scattered side. Absent: there is no
   * transpose.
   */
  readonly along?: number;
}

/** Whether a shape moves short rows as four words each. */
export const isInParts = ({ along, streams, unitRows, wordBytes }: Shape, { rowBytes }: Box): boolean =>
  along === undefined &&
  streams &&
  !unitRows &&
  rowBytes <= 2 * WIDEST_WORD_BYTES &&
  rowBytes === ROW_PARTS * wordBytes;

/** The facts of a device that the choice of a shape depends on. */
export interface DeviceFacts {
  /** How many streaming multiprocessors it has. */
  readonly multiprocessors: number;
  /** The most threads that one multiprocessor holds at a time. */
  readonly threadsPerMultiprocessor: number;
  /** The bytes of its L2 cache. */
  readonly l2Bytes: number;
}

/** The widest word that one thread moves. */
export const WIDEST_WORD_BYTES = 16;
const NARROW = 2 ** 31;

/**
 * The shape that suits a transfer on a device. The word width W divides the row, the strides, both addresses AND the
 * range: TEMPI looks at the block alone, and then faults or moves other bytes where a stride or a base pointer is less
 * aligned. Below it, packed accesses join several words.
 */
export function shapeOf(transfer: Transfer, direction: Direction, device: DeviceFacts): Shape {
  if (transfer.target !== undefined) return copyShapeOf(transfer, transfer.target, device);
  const { box, scatteredAddress, packedAddress, first, length } = transfer;
  const { startBytes, rowBytes, dimensions } = box;
  const strides = dimensions.map(({ strideBytes }) => strideBytes);
  const packedStart = packedAddress + first;
  const distances = [rowBytes, ...strides, scatteredAddress + startBytes, packedStart, first, length];
  const widest = commonAlignment(distances, WIDEST_WORD_BYTES);
  const along = tilingOf(transfer, widest)?.along;
  const streams = (along === undefined ? touchedBytes(transfer) : 2 * length) > device.l2Bytes;
  const inParts = along === undefined && streams && isMovedInParts(box, direction, widest);
  const wordBytes = inParts ? Math.max(1, rowBytes / ROW_PARTS) : widest;
  const unitRows = dimensions.length > 0 && rowBytes === wordBytes;
  const known = {
    direction,
    wordBytes,
    dimensions: dimensions.length,
    unitRows,
    wide: along === undefined && isWide(transfer, wordBytes),
    streams,
  };
  if (along !== undefined) return { ...known, vectorBytes: wordBytes, vectorsPerThread: 1, along };
  if (inParts) return { ...known, vectorBytes: wordBytes, vectorsPerThread: 1 };
  // Joining words of 4 bytes or more was slower in every layout measured (docs/design/gpu-strided.md).
  const vectorBytes = Math.max(wordBytes, commonAlignment([packedStart], 4));
  const most = streams && wordBytes > 4 ? 1 : vectorsPerThread(length / vectorBytes, vectorBytes / wordBytes, device);
  return { ...known, vectorBytes, vectorsPerThread: most };
}

/** A copy from box to box, in words that divide both sides. */
function copyShapeOf(transfer: Transfer, target: TargetBox, device: DeviceFacts): Shape {
  const { box, scatteredAddress, first, length } = transfer;
  const onTarget = { box: target.box, first: target.first, length };
  const sides = [box, target.box].flatMap(({ rowBytes, dimensions }) => [
    rowBytes,
    ...dimensions.map(({ strideBytes }) => strideBytes),
  ]);
  const starts = [scatteredAddress + box.startBytes, target.address + target.box.startBytes];
  const wordBytes = commonAlignment([...sides, ...starts, first, target.first, length], WIDEST_WORD_BYTES);
  const streams = touchedBytes(transfer) + touchedBytes(onTarget) - 2 * length > device.l2Bytes;
  const walked = ({ rowBytes, dimensions }: Box) => ({
    dimensions: dimensions.length,
    unitRows: dimensions.length > 0 && rowBytes === wordBytes,
  });
  const known = { direction: "copy", wordBytes, vectorBytes: wordBytes, streams } as const;
  const tiling = tilingOf(transfer, wordBytes);
  if (tiling !== undefined) {
    const { dimensions, along } = tiling;
    return { ...known, dimensions: dimensions.length, unitRows: true, wide: false, vectorsPerThread: 1, along };
  }
  return {
    ...known,
    ...walked(box),
    target: walked(target.box),
    wide: isWide(transfer, wordBytes) || isWide(onTarget, wordBytes),
    vectorsPerThread: streams && wordBytes > 4 ? 1 : vectorsPerThread(length / wordBytes, 1, device),
  };
}

type Range = Pick<Transfer, "box" | "first" | "length">;

/** Whether indices or strides pass 31 bits. */
function isWide({ box: { dimensions }, first, length }: Range, wordBytes: number): boolean {
  const isFar = dimensions.some(({ strideBytes }) => Math.abs(strideBytes) >= NARROW);
  return (first + length) / wordBytes >= NARROW || isFar || dimensions.some(isLong);
}

/**
 * Short rows that memory itself limits go faster as four words each than as one or two: a multiprocessor then has fewer
 * rows under way, and memory fewer of its pages open (docs/design/gpu-strided.md). Reading them, where no two rows
 * share a page's neighbourhood; writing them, from a fetch's distance on.
 */
const ROW_PARTS = 4;
const IN_PARTS_FROM_PITCH_BYTES = { pack: 256, unpack: 64, copy: Infinity, reduce: Infinity } as const;

function isMovedInParts({ rowBytes, dimensions }: Box, direction: Direction, wordBytes: number): boolean {
  const [rows] = dimensions;
  if (rows === undefined || rowBytes < 4 || rowBytes > 2 * wordBytes) return false;
  return Math.abs(rows.strideBytes) >= IN_PARTS_FROM_PITCH_BYTES[direction];
}

const isLong = ({ count }: { readonly count: number }): boolean => count >= NARROW;

/**
 * Enough loads in flight to cover latency, once there is work for every thread of the device; few where there is not.
 */
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
function touchedBytes({ box: { rowBytes, dimensions }, length }: Range): number {
  const pitchBytes = Math.abs(dimensions[0]?.strideBytes ?? rowBytes);
  const fetchedBytes = Math.min(Math.ceil(rowBytes / FETCH_BYTES) * FETCH_BYTES, Math.max(pitchBytes, rowBytes));
  return length * (1 + fetchedBytes / rowBytes);
}

/** A text that names the instructions of a shape's kernel; kernels' names and the keys of launches have it. */
export function shapeName(shape: Shape): string {
  const {
    direction,
    wordBytes,
    vectorBytes,
    dimensions,
    unitRows,
    wide,
    vectorsPerThread: vectors,
    streams,
    target,
    along,
  } = shape;
  const flags = `${unitRows ? "u" : ""}${wide ? "w" : ""}${streams ? "s" : ""}${along === undefined ? "" : `t${along}`}`;
  const into = target === undefined ? "" : `_d${target.dimensions}${target.unitRows ? "u" : ""}`;
  return `${direction}_w${wordBytes}v${vectorBytes}d${dimensions}x${vectors}${flags}${into}`;
}
