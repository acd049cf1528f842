import type { Stream } from "@stowage/ir";
import { PAGE_BYTES } from "../../page.js";
import { widestMoveOf, type LoopContext } from "../loop-context.js";
import { conflictsInOneSet, conflictsInSets, LINE_BYTES } from "./cache.js";

/** Whether a stream is of short blocks, each in a line of its own or two. */
export const isShort = ({ child }: Stream): boolean =>
  child.kind === "dense" && child.lengthBytes > 0 && child.lengthBytes <= LINE_BYTES;

/** More lie in memory, where waiting costs most: up to a third. */
const MOST_WAITED_FOR = 16_384;

/** Whether each store to so many lines so far apart waits for those before it. */
export const isFenced = (
  { direction, tuning }: LoopContext,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.fencedConflicts &&
  direction === "unpack" &&
  conflictsInOneSet(tuning.target.geometry.l1d, strideBytes) &&
  count <= MOST_WAITED_FOR;

/** Fewer blocks are over before they are in each other's way. */
const FEWEST_CONFLICTING = 33;
/**
 * Where all lines conflict in one set of L1d, or in two. Behind loads: 2.2 ns a row of 64 instead of 4.0, 1.6 instead
 * of 2.1 of 384. Behind stores: half the time, a third (docs/notes/2026-11-28-padded-stores.md).
 */
const NOPS = { pack: { oneSet: 14, twoSets: 5 }, unpack: { oneSet: 80, twoSets: 32 } };
/** As many fewer for each further move of a block. */
const NOPS_A_MOVE = 4;

/** Whether loads or stores of lines that conflict are kept apart. */
const isPadded = ({ direction, tuning }: LoopContext): boolean =>
  direction === "pack" ? tuning.paddedConflicts : tuning.paddedStores;

/**
 * NOP padding behind each block where the lines are as many as the ways of the sets they conflict in, or more; 0: none.
 */
export function nopsAgainstConflicts(context: LoopContext, { child, strideBytes, count }: Stream): number {
  const { l1d } = context.tuning.target.geometry;
  if (!isPadded(context) || !conflictsInSets(l1d, strideBytes)) return 0;
  if (count < FEWEST_CONFLICTING || count > MOST_WAITED_FOR) return 0;
  const { oneSet, twoSets } = NOPS[context.direction];
  const nops = conflictsInOneSet(l1d, strideBytes) ? oneSet : twoSets;
  return Math.max(0, nops - NOPS_A_MOVE * (Math.ceil(child.sizeBytes / widestMoveOf(context)) - 1));
}

/** Whether the blocks of a stream lie in pages of their own, at strides where rounds of one block gain. */
export function isPageApart(context: LoopContext, { strideBytes, count }: Stream): boolean {
  const { direction, tuning } = context;
  const leastBytes = direction === "pack" ? PAGE_BYTES : tuning.paddedPageStoresBytes;
  if (Math.abs(strideBytes) < leastBytes) return false;
  const conflicts = conflictsInSets(tuning.target.geometry.l1d, strideBytes);
  const isLimited = isPadded(context) || (direction === "unpack" && tuning.fencedConflicts);
  return !conflicts || (!isLimited && count <= MOST_WAITED_FOR);
}
