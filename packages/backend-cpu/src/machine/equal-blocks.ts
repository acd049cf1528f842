import type { IntegerTable } from "@stowage/ir";
import { BY_COPIES, level, offsetOf, type Level } from "./level.js";

/** Blocks that splitting may add, for each block there is. */
const MOST_ADDED = 0.25;

/**
 * A leaf of blocks that differ in length, as one of equal blocks: where two neighbours happen to touch, an index list
 * of equal blocks holds one of twice the length, and loops over equal blocks are twice as fast. Undefined where the
 * lengths are not multiples of the shortest, or too many blocks would come of it.
 */
export function equalBlocks(leaf: Level): Level | undefined {
  const { starts, count, primitive } = leaf;
  if (starts === undefined || count === BY_COPIES) return undefined;
  const stepBytes = shortest(starts);
  const blocks = (starts[count] as number) / stepBytes;
  if (!(blocks <= count * (1 + MOST_ADDED)) || !areMultiples(starts, stepBytes)) return undefined;
  // Every displacement lies between two of the leaf's own, or in its last block: mostly in 32 bits.
  const narrow = leaf.words !== undefined && leaf.words.lowBytes >= -(2 ** 31) && leaf.words.highBytes < 2 ** 31;
  const displacementsBytes = narrow ? new Int32Array(blocks) : new Float64Array(blocks);
  let block = 0;
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number;
    const end = starts[i + 1] as number;
    for (let at = start; at < end; at += stepBytes) displacementsBytes[block++] = offsetOf(leaf, i) + at - start;
  }
  return level({ primitive, count: blocks, stepBytes, displacementsBytes });
}

/** The length of the shortest block that is not empty. */
function shortest(starts: IntegerTable): number {
  let least = Infinity;
  for (let i = 1; i < starts.length; i++) {
    const length = (starts[i] as number) - (starts[i - 1] as number);
    if (length > 0 && length < least) least = length;
  }
  return least;
}

/** All lengths are multiples of a step where all sums of them are. */
function areMultiples(starts: IntegerTable, stepBytes: number): boolean {
  for (let i = 0; i < starts.length; i++) if (!Number.isInteger((starts[i] as number) / stepBytes)) return false;
  return true;
}
