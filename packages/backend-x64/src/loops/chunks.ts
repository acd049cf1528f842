import { XMM_BYTES, type Width } from "../widths.js";

/** One load and one store at an offset in a block. */
export interface Chunk {
  readonly offset: number;
  readonly width: Width;
  /** Bytes that are read, where they are fewer than are written; undefined: all. */
  readonly bytes?: number;
}

/** What of a vector may be moved beside a block's own bytes. */
export interface Slack {
  /** Bytes after the block that may be overwritten, and those of them that may be read too. */
  readonly overwritten: number;
  readonly read: number;
}

export const NO_SLACK: Slack = { overwritten: 0, read: 0 };

/** Whether there are loads of the first so many bytes of a vector that read no byte more. */
export type LoadsFirst = (bytes: number) => boolean;

const NONE: LoadsFirst = () => false;

const WIDTHS: readonly Width[] = [1, 2, 4, 8, 16, 32, 64];

const widthAtLeast = (bytes: number): Width => WIDTHS.find((width) => width >= bytes) ?? 64;
const widthAtMost = (bytes: number): Width => WIDTHS.findLast((width) => width <= bytes) ?? 1;

/**
 * Moves that cover a block of `length` bytes. Neighbours may overlap inside the block; only where `slack` bytes
 * after it may be read and overwritten may the last one reach past its end.
 */
export function chunksOf(length: number, widest: Width, slack: Slack, loadsFirst: LoadsFirst = NONE): readonly Chunk[] {
  const whole = widthAtLeast(length);
  if (length <= widest && whole - length <= slack.read) return [{ offset: 0, width: whole }];
  const vector = Math.max(whole, XMM_BYTES) as Width;
  if (length < widest && length < vector && vector - length <= slack.overwritten && loadsFirst(length))
    return [{ offset: 0, width: vector, bytes: length }];
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
  return (loads ? Math.max(whole, XMM_BYTES) : whole) - length;
}
