import type { Width } from "./isa.js";

/** One load and one store at an offset in a block. */
export interface Chunk {
  readonly offset: number;
  readonly width: Width;
  /** Bytes that a mask lets it touch; undefined: all. */
  readonly bytes?: number;
}

const WIDTHS: readonly Width[] = [1, 2, 4, 8, 16, 32, 64];

const widthAtLeast = (bytes: number): Width => WIDTHS.find((width) => width >= bytes) ?? 64;
const widthAtMost = (bytes: number): Width => WIDTHS.findLast((width) => width <= bytes) ?? 1;

/**
 * Moves that cover a block of `length` bytes. Neighbours may overlap inside the block; only where `slack` bytes
 * after it may be read and overwritten may the last one reach past its end. `masksFirst`: whether a mask of the first
 * bytes is at hand; one masked move then does what would take two.
 */
export function chunksOf(
  length: number,
  widest: Width,
  slack: number,
  masksFirst: (bytes: number) => boolean = () => false,
): readonly Chunk[] {
  const whole = widthAtLeast(length);
  if (length <= widest && whole - length <= slack) return [{ offset: 0, width: whole }];
  if (length < widest && masksFirst(length)) return [{ offset: 0, width: whole <= 16 ? 16 : whole, bytes: length }];
  const chunks: Chunk[] = [];
  let offset = 0;
  while (length - offset >= widest) {
    chunks.push({ offset, width: widest });
    offset += widest;
  }
  if (offset < length) tail(chunks, offset, length, widest);
  return chunks;
}

function tail(chunks: Chunk[], from: number, length: number, widest: Width): void {
  const rest = length - from;
  const above = widthAtLeast(rest);
  if (above === rest) {
    chunks.push({ offset: from, width: above });
  } else if (above <= length && above <= widest) {
    chunks.push({ offset: length - above, width: above });
  } else {
    const below = widthAtMost(rest);
    chunks.push({ offset: from, width: below });
    const left = rest - below;
    const width = widthAtLeast(left);
    // The block is at least `below` long, and `width` is at most `below`: the overlap stays inside it.
    chunks.push({ offset: length - width, width });
  }
}

/** Bytes past a block that would let one move do; 0 where it cannot, or needs none. */
export function wantedSlack(length: number, widest: Width): number {
  if (length === 0 || length >= widest) return 0;
  return widthAtLeast(length) - length;
}
