import { ArgumentError, isDenseLayout, quoted, requireLayout, type Layout, type PackedRange } from "@stowage/ir";
import type { Buffer, Memory } from "./memory.js";
import { requireSpan, type Span } from "./binding.js";
import { regionAt } from "./region-at.js";

/** The bytes [lowBytes, highBytes) that a range may touch, counted from the datatype's address 0. */
export interface Reach {
  /** The lowest byte. */
  readonly lowBytes: number;
  /** The byte behind the highest. */
  readonly highBytes: number;
}

const NOWHERE: Reach = Object.freeze({ lowBytes: 0, highBytes: 0 });

/**
 * What a packed range may touch: of a dense layout the range itself, else everything from the lowest to the highest
 * byte of the elements that hold some of it. The range must be one of the packed stream. Where an element lies beyond
 * the safe integers, so does the reach: it is infinite. Throws an ArgumentError for what is no layout or range.
 */
export function reachOf(layout: Layout, range: PackedRange): Reach {
  requireLayout(layout);
  const { first, length } = requireNumbers(range);
  if (length === 0) return NOWHERE;
  if (isDenseLayout(layout)) return { lowBytes: first, highBytes: first + length };
  const { sizeBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes } = layout;
  const ofFirst = safeOrInfinite(Math.floor(first / sizeBytes) * extentBytes);
  const ofLast = safeOrInfinite(Math.floor((first + length - 1) / sizeBytes) * extentBytes);
  return {
    lowBytes: trueLowerBoundBytes + Math.min(ofFirst, ofLast),
    highBytes: trueLowerBoundBytes + trueExtentBytes + Math.max(ofFirst, ofLast),
  };
}

function requireNumbers(range: PackedRange): PackedRange {
  if (typeof range === "object" && (range as PackedRange | null) !== null) {
    if (typeof range.first === "number" && typeof range.length === "number") return range;
  }
  throw new ArgumentError("packed range", "an object of count, first, length", quoted(range));
}

/** A product that was rounded must not come back into the safe integers by a later sum. */
const safeOrInfinite = (value: number): number => (Number.isSafeInteger(value) ? value : Math.sign(value) * Infinity);

/** One buffer, and where the datatype's address 0 lies in it. */
export interface BufferOrigin {
  /** The buffer that holds all bytes in question. */
  readonly buffer: Buffer;
  /** Bytes from the buffer's start to the datatype's address 0; it may lie outside the buffer, as origins may. */
  readonly originBytes: number;
}

/**
 * Finds the one buffer that holds all that a packed range reaches from a span; undefined where the range takes several
 * regions of an address space, or no region has it. Throws a BindingError for what is no span, and an ArgumentError for
 * what is no layout or range.
 */
export function bufferOriginOf(layout: Layout, span: Span, range: PackedRange): BufferOrigin | undefined {
  requireSpan(span);
  const { lowBytes, highBytes } = reachOf(layout, range);
  return bufferOriginWithin(span.memory, span.originBytes, span.originBytes + lowBytes, span.originBytes + highBytes);
}

/** As bufferOriginOf, for bytes [lowBytes, highBytes) of the memory. */
export function bufferOriginWithin(
  memory: Memory,
  originBytes: number,
  lowBytes: number,
  highBytes: number,
): BufferOrigin | undefined {
  const region = regionAt(memory, lowBytes);
  if (region === undefined || highBytes > region.startBytes + region.buffer.sizeBytes) return undefined;
  return { buffer: region.buffer, originBytes: originBytes - region.startBytes };
}
