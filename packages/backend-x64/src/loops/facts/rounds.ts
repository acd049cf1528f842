import type { LayoutNode, Stream } from "@stowage/ir";
import { blocksInLlc } from "../../targets/thresholds.js";
import { widestMoveOf, type LoopContext } from "../loop-context.js";
import type { Round, SingleRound } from "../plans.js";
import { conflictsInSets, LINE_BYTES } from "./cache.js";
import { isShort } from "./conflicts.js";
import { unrolledMoves } from "./nodes.js";
import { isPrefetched, prefetchOf, reachesFar } from "./prefetches.js";

/** Moves of a round: enough to hide the counting. */
export const MOVES_PER_ROUND = 8;

/** Children that are moved one by one in a round, a power of two. */
export function childrenPerRound(context: LoopContext, child: LayoutNode): number {
  const moves = unrolledMoves(child, widestMoveOf(context), MOVES_PER_ROUND);
  if (moves > MOVES_PER_ROUND / 2) return 1;
  return 2 ** Math.floor(Math.log2(MOVES_PER_ROUND / moves));
}

/** Rounds of children that are moved one by one. */
export function singleRounds(context: LoopContext, node: Stream, most: number): readonly SingleRound[] {
  const prefetch = prefetchOf(context, node);
  const round: SingleRound = {
    what: "single blocks",
    children: childrenPerRound(context, node.child),
    ...(prefetch === undefined ? {} : { prefetch }),
  };
  return longRounds(context, node, round, most);
}

/** Strides at which each block has a line of its own, and leaves one out. */
const SPARSE_STRIDE_BYTES = 2 * LINE_BYTES;
/** Sparse blocks of a round. */
const SPARSE_BLOCKS = 32;
/** Blocks of one vector: single words gain nothing, longer ones lie in two lines. */
const LEAST_NEAR_BYTES = 9;
const MOST_NEAR_BYTES = 32;

/**
 * A round, and before it a longer one that repeats it, where blocks are sparse and lie in the LLC: the hardware
 * prefetchers ignore instructions that stride by pages. With software prefetches nothing is gained by it.
 */
export function longRounds<R extends Round>(context: LoopContext, node: Stream, round: R, most: number): readonly R[] {
  const isLong = mayBeLong(context, node, most) && (isNearSparse(context, node, round) || isSparse(context, node));
  const times = isLong ? Math.max(1, Math.floor(SPARSE_BLOCKS / round.children)) : 1;
  return times === 1 ? [round] : [{ ...round, children: times * round.children }, round];
}

function mayBeLong({ tuning }: LoopContext, node: Stream, most: number): boolean {
  const { strideBytes, count } = node;
  if (!tuning.longRounds || !isShort(node) || most < 2 * SPARSE_BLOCKS) return false;
  if (conflictsInSets(tuning.target.geometry.l1d, strideBytes)) return false;
  return count > 1 && count <= blocksInLlc(tuning.target);
}

const isSparse = (context: LoopContext, node: Stream): boolean =>
  Math.abs(node.strideBytes) >= SPARSE_STRIDE_BYTES && reachesFar(context, node) && !isPrefetched(context, node);

/**
 * Whether each move has a line of its own, near enough for L2: eight instructions that walk lines by eight strides
 * mislead Zen 5's L1 prefetcher there, and 32 do not. Stores of several blocks together are fewer than lines already.
 */
const isNearSparse = (context: LoopContext, node: Stream, round: Round): boolean =>
  context.tuning.longRoundsInL2 &&
  round.what === "single blocks" &&
  isWithin(node.child.sizeBytes, LEAST_NEAR_BYTES, MOST_NEAR_BYTES) &&
  Math.abs(node.strideBytes) >= LINE_BYTES &&
  !isPrefetched(context, node);

const isWithin = (bytes: number, least: number, most: number): boolean => bytes >= least && bytes <= most;
