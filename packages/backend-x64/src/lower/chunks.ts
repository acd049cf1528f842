import type { Width } from "./isa.js";

/** One load and one store at an offset in a block. */
export interface Chunk {
  readonly offset: number;
  readonly width: Width;
  /** Bytes that are read and written; undefined: all. */
  readonly bytes?: number;
  /** Whether all of the width is written, whatever is read. */
  readonly overwrites?: true;
}

/** What of a vector may be moved beside a block's own bytes. */
export interface Slack {
  /** Bytes after the block that may be overwritten, and those of them that may be read too. */
  readonly overwritten: number;
  readonly read: number;
}

export const NO_SLACK: Slack = { overwritten: 0, read: 0 };

/** Which moves of the first bytes of a vector are at hand: by loads that read no byte more, and by such loads and stores. */
export interface FirstBytes {
  loads(bytes: number): boolean;
  moves(bytes: number): boolean;
}

const NEITHER: FirstBytes = { loads: () => false, moves: () => false };

const WIDTHS: readonly Width[] = [1, 2, 4, 8, 16, 32, 64];

const LEAST_VECTOR_BYTES = 16;

const widthAtLeast = (bytes: number): Width => WIDTHS.find((width) => width >= bytes) ?? 64;
const widthAtMost = (bytes: number): Width => WIDTHS.findLast((width) => width <= bytes) ?? 1;

/**
 * Moves that cover a block of `length` bytes. Neighbours may overlap inside the block; only where `slack` bytes
 * after it may be read and overwritten may the last one reach past its end.
 */
export function chunksOf(length: number, widest: Width, slack: Slack, first: FirstBytes = NEITHER): readonly Chunk[] {
  const whole = widthAtLeast(length);
  if (length <= widest && whole - length <= slack.read) return [{ offset: 0, width: whole }];
  const vector = Math.max(whole, LEAST_VECTOR_BYTES) as Width;
  if (length < widest && length < vector && vector - length <= slack.overwritten && first.loads(length))
    return [{ offset: 0, width: vector, bytes: length, overwrites: true }];
  if (length < widest && first.moves(length)) return [{ offset: 0, width: vector, bytes: length }];
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

/** Bytes past a block that would let one move do; 0 where it cannot, or needs none. `loads`: without reading them. */
export function wantedSlack(length: number, widest: Width, loads: boolean): number {
  const whole = widthAtLeast(length);
  if (length === 0 || length >= widest || whole === length) return 0;
  return (loads ? Math.max(whole, LEAST_VECTOR_BYTES) : whole) - length;
}
