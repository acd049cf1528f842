import type { LayoutNode, Stream } from "@stowage/ir";
import { unrolledMoves } from "../../unrolled-moves.js";
import { longRounds } from "./long-rounds.js";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import { prefetchOf } from "./prefetches.js";
import type { SingleRound } from "../../stream-plan.js";

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
