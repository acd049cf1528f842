import type { LayoutNode, Stream } from "@stowage/ir";
import { PAGE_BYTES } from "../page.js";
import { conflictsInSets, LINE_BYTES, WAY_BYTES } from "./cache.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import { isFenced, isShort, MOST_WAITED_FOR } from "./set-conflicts.js";

/** Entries of the reorder buffer by fill buffers: with so many instructions a line, misses do not exceed the fill buffers. */
const INSTRUCTIONS_A_LINE = 10;
/** Those that move a short block. */
const INSTRUCTIONS_A_BLOCK = 3;
/** Longest block that is followed by NOP padding. */
const LONGEST_PADDED_BYTES = 2 * LINE_BYTES;

/** Whether short blocks of such a stream have NOP padding between them out of cache. */
export const isPadded = ({ child, strideBytes }: Stream): boolean => nopsOutOfCache(child, strideBytes) > 0;

function nopsOutOfCache(child: LayoutNode, strideBytes: number): number {
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > LONGEST_PADDED_BYTES) return 0;
  const lines = Math.min((child.lengthBytes - 1) / LINE_BYTES + 1, Math.abs(strideBytes) / LINE_BYTES);
  return Math.max(0, Math.round(INSTRUCTIONS_A_LINE * lines) - INSTRUCTIONS_A_BLOCK);
}

/** Pages beyond the dTLB's reach: an EPYC has 3,072 entries, a Xeon 2,048. */
const MANY_PAGES = 4096;

/** Strides from which prefetchers that follow stores are of use. */
const LEAST_STORED_BYTES = 1.5 * PAGE_BYTES;

/** Whether the blocks of a stream lie in pages of their own, at strides where rounds of one block gain. */
export function isPageApart({ direction, tuning }: LoopContext, { strideBytes, count }: Stream): boolean {
  if (Math.abs(strideBytes) < (direction === "pack" ? PAGE_BYTES : LEAST_STORED_BYTES)) return false;
  return !conflictsInSets(strideBytes) || (!tuning.limitSetConflicts && count <= MOST_WAITED_FOR);
}

/** Packed bytes from which blocks of such streams have NOP padding: beyond the dTLB's reach, or beyond the caches. */
export function paddedFromBytes(context: LoopContext, streams: readonly Stream[]): number {
  const { paddedPages, paddedBlocks, nonTemporalBytes } = context.tuning;
  const inPages = paddedPages && streams.every((node) => isPageApart(context, node));
  const pagesFromBytes = inPages ? MANY_PAGES * Math.max(...streams.map(({ child }) => child.sizeBytes)) : Infinity;
  return Math.min(pagesFromBytes, paddedBlocks ? nonTemporalBytes : Infinity);
}

/** Fewer blocks are over before they are in each other's way. */
const FEWEST_CONFLICTING = 33;
/** Where all lines conflict in one set of L1d, and in two: measured (docs/x64.md, "Strides"). */
const NOPS_IN_ONE_SET = 14;
const NOPS_IN_TWO_SETS = 5;
/** As many fewer for each further move of a block. */
const NOPS_A_MOVE = 4;

/** NOP padding behind each load where the lines are as many as the ways of the sets they conflict in, or more; 0: none. */
export function nopsAgainstConflicts(context: LoopContext, { child, strideBytes, count }: Stream): number {
  if (!context.tuning.limitSetConflicts || context.direction === "unpack" || !conflictsInSets(strideBytes)) return 0;
  if (count < FEWEST_CONFLICTING || count > MOST_WAITED_FOR) return 0;
  const nops = strideBytes % WAY_BYTES === 0 ? NOPS_IN_ONE_SET : NOPS_IN_TWO_SETS;
  return Math.max(0, nops - NOPS_A_MOVE * (Math.ceil(child.sizeBytes / widestMoveOf(context)) - 1));
}

/** NOP padding behind each block of a stream: it keeps later blocks out of the reorder buffer. */
export function nopsBehind(context: LoopContext, node: Stream): number {
  const isOutOfCache = context.outOfCache?.what === "padded";
  const space = isOutOfCache ? nopsOutOfCache(node.child, node.strideBytes) : 0;
  if (!isShort(node) || isFenced(context, node) || (isOutOfCache && isPageApart(context, node))) return space;
  return Math.max(space, nopsAgainstConflicts(context, node));
}
