import { LINE_BYTES } from "../loops/facts/cache.js";
import type { Target } from "./target.js";

/** Bytes of a last level that many cores share: no core was seen to keep more. */
const MOST_LLC_BYTES = 2 ** 25;

/** Bytes of the last level that one core has: of a processor without one, its L2. */
export const llcBytesOf = ({ geometry: { llcBytes, l2Bytes } }: Target): number =>
  Math.max(l2Bytes, Math.min(llcBytes, MOST_LLC_BYTES));

/**
 * Packed bytes P from which neither side is found in the LLC again: P packed and P or more scattered are over half of
 * it, P = LLC / 4.
 */
export const nonTemporalBytesOf = (target: Target): number => llcBytesOf(target) / 4;

/** Bytes of L2 that count: nobody measured what a larger one holds beside the rest. */
const MOST_L2_BYTES = 2 ** 20;

const l2BytesOf = ({ geometry }: Target): number => Math.min(geometry.l2Bytes, MOST_L2_BYTES);

/** Reach from which lines come from behind L2: the other side and the tables take half of it. */
export const prefetchReachBytesOf = (target: Target): number => l2BytesOf(target) / 2;

/** Blocks of a line each that fill half of L2. */
export const blocksInL2 = (target: Target): number => l2BytesOf(target) / 2 / LINE_BYTES;

/** Blocks of a line each that fill half of the LLC. */
export const blocksInLlc = (target: Target): number => llcBytesOf(target) / 2 / LINE_BYTES;

/** Pages beyond the dTLB's reach. */
export const pagesBeyondDtlb = ({ geometry }: Target): number => geometry.dtlbPages;

/**
 * The share of the reorder buffer that holds moves of blocks beside what surrounds them: fitted on Zen 4
 * (docs/notes/2026-11-22-x64.md).
 */
const SHARE_OF_MOVES = 3 / 4;

/** More were never measured to gain. */
const MOST_INSTRUCTIONS = 10;

/**
 * Instructions for each line that misses, with which the reorder buffer holds no more misses than there are fill
 * buffers.
 */
export const instructionsALine = ({ reorderBufferEntries, fillBuffers }: Target): number =>
  Math.min(MOST_INSTRUCTIONS, Math.round((SHARE_OF_MOVES * reorderBufferEntries) / fillBuffers));
