import { requireLayout, type Layout } from "../layout/layout.js";
import { quoted } from "../checks/quoted.js";
import { requireObject } from "../checks/require-argument.js";
import { ArgumentError } from "../errors.js";

/** Bytes [first, first + length) of the packed stream of `count` elements; at most count × the layout's sizeBytes. */
export interface PackedRange {
  /** Elements of the datatype. */
  readonly count: number;
  /** The first byte of the range, counted from the start of the packed stream. */
  readonly first: number;
  /** Bytes of the range. */
  readonly length: number;
}

/** Throws an ArgumentError where the range is not one of the packed stream of `count` elements of the layout. */
export function requireRange(layout: Layout, range: PackedRange): void {
  const { sizeBytes } = requireLayout(layout);
  const { count, first, length } = requireObject(range, "packed range", "an object of count, first, length");
  requireNatural("count", count);
  requireNatural("first byte of a packed range", first);
  requireNatural("length of a packed range", length);
  // A product beyond 2^53 is rounded, but never to below a safe integer; a sum beyond is refused as unsafe.
  const end = first + length;
  if (end > count * sizeBytes || !Number.isSafeInteger(end)) {
    throw new ArgumentError("end of a packed range", `at most ${count} x ${sizeBytes} bytes`, String(end));
  }
}

function requireNatural(subject: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ArgumentError(subject, "an integer from 0 to 2^53 - 1", quoted(value));
  }
}
