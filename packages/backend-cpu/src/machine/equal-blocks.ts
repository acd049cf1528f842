import { integerTable } from "@stowage/ir";
import { BY_COPIES, level, offsetOf, startOf, type Level } from "./level.js";

/** Blocks that splitting may add, for each block there is. */
const MOST_ADDED = 0.25;

/**
 * A leaf of blocks that differ in length, as one of equal blocks: where two neighbours happen to touch, an index list
 * of equal blocks holds one of twice the length, and loops over equal blocks are twice as fast. Undefined where the
 * lengths are not multiples of the shortest, or too many blocks would come of it.
 */
export function equalBlocks(leaf: Level): Level | undefined {
  const { starts, count } = leaf;
  if (starts === undefined || count === BY_COPIES) return undefined;
  const lengthAt = (i: number): number => startOf(leaf, i + 1) - startOf(leaf, i);
  let stepBytes = Infinity;
  for (let i = 0; i < count; i++) if (lengthAt(i) > 0) stepBytes = Math.min(stepBytes, lengthAt(i));
  const blocks = startOf(leaf, count) / stepBytes;
  if (!(blocks <= count * (1 + MOST_ADDED))) return undefined;
  for (let i = 0; i < count; i++) if (!Number.isInteger(lengthAt(i) / stepBytes)) return undefined;
  let block = 0;
  const displacementsBytes = integerTable(blocks, (i) => {
    while (startOf(leaf, block + 1) <= i * stepBytes) block++;
    return offsetOf(leaf, block) + i * stepBytes - startOf(leaf, block);
  });
  return level({ primitive: leaf.primitive, count: blocks, stepBytes, displacementsBytes });
}
