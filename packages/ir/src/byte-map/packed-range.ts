import type { Layout } from "../layout/layout.js";

/** Of the packed stream of `count` elements, the bytes [first, first + length). */
export interface PackedRange {
  readonly count: number;
  readonly first: number;
  readonly length: number;
}

/** Throws a RangeError where the range is not one of the packed stream of `count` elements of the layout. */
export function requireRange({ sizeBytes }: Layout, { count, first, length }: PackedRange): void {
  requireNatural("count", count);
  requireNatural("first byte of a packed range", first);
  requireNatural("length of a packed range", length);
  // A product beyond 2^53 is rounded, but never to below a safe integer; a sum beyond is refused as unsafe.
  const end = first + length;
  if (end > count * sizeBytes || !Number.isSafeInteger(end)) {
    throw new RangeError(`end of a packed range: expected at most ${count} x ${sizeBytes} bytes, got ${end}`);
  }
}

function requireNatural(subject: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${subject}: expected an integer from 0 to 2^53 - 1, got ${value}`);
  }
}
