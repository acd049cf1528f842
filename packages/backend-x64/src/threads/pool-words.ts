import { PAGE_BYTES } from "../page.js";
import { WORD_BYTES } from "../widths.js";

/**
 * Where the words that the threads of a pool share lie, 8 bytes each. Words that different threads write at different
 * times stand 128 bytes apart: two cache lines, because processors fetch them in pairs.
 */
export const WORD = Object.freeze({
  /** Counts launches; workers sleep on it. */
  turn: 0,
  /** Not 0: workers end when the turn changes. */
  ending: 8,
  /** Slices of the launch that nobody has taken; below 0 too, where several threads found none. */
  left: 128,
  /** Slices that are not done; the caller sleeps on it. */
  pending: 256,
  /** Not 0: the caller sleeps, or is about to. */
  callerSleeps: 264,
  /** Workers that sleep, or are about to. */
  sleepers: 384,
  /** Address of the table of slices: of each, the address of its first record and how many there are. */
  slices: 512,
  /** The processor that the caller was on when it opened the launch. */
  callersCpu: 520,
});

export const POOL_BYTES = PAGE_BYTES;
/** An address and a count. */
export const SLICE_BYTES = 2 * WORD_BYTES;
