import type { Stream } from "@stowage/ir";
import { conflictsInSets, LINE_BYTES } from "../../cache.js";
import type { LoopContext } from "../../loop-context.js";
import { isPrefetched, reachesFar } from "./prefetches.js";
import { isShort } from "../../short-blocks.js";
import type { Round } from "../../stream-plan.js";

/** Strides at which each block has a line of its own, and leaves one out. */
const SPARSE_STRIDE_BYTES = 2 * LINE_BYTES;
/** Sparse blocks of a round. */
const SPARSE_BLOCKS = 32;
/** Blocks whose lines fill half of an LLC of 32 MiB. */
const MOST_SPARSE_BLOCKS = 262_144;

/**
 * A round, and before it a longer one that repeats it, where blocks are sparse and lie in the LLC: the hardware prefetchers
 * ignore instructions that stride by pages. With software prefetches nothing is gained by it.
 */
export function longRounds<R extends Round>(context: LoopContext, node: Stream, round: R, most: number): readonly R[] {
  const times = isSparse(context, node, most) ? Math.max(1, Math.floor(SPARSE_BLOCKS / round.children)) : 1;
  return times === 1 ? [round] : [{ ...round, children: times * round.children }, round];
}

function isSparse(context: LoopContext, node: Stream, most: number): boolean {
  const { strideBytes, count } = node;
  if (!context.tuning.longRounds || !isShort(node) || Math.abs(strideBytes) < SPARSE_STRIDE_BYTES) return false;
  if (conflictsInSets(strideBytes) || most < 2 * SPARSE_BLOCKS) return false;
  if (count === 1 || count > MOST_SPARSE_BLOCKS) return false;
  return reachesFar(context, node) && !isPrefetched(context, node);
}
