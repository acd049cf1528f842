import type { Blocks } from "@stowage/ir";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import type { Rule } from "../../rule.js";
import type { WalkedBlocks, WalkPlan } from "../../walk-plan.js";
import { isShortRun } from "../lengths/written-out.js";
import { childrenPerRound } from "../streams/single-rounds.js";

/** Short blocks one by one, several a round, whose displacements are loaded into two registers in turns. */
export const singleEntries: Rule<WalkedBlocks, WalkPlan> = {
  name: "single entries",
  plan(context, { node }) {
    if (!isShortRun(node.child, widestMoveOf(context))) return "blocks are not short runs";
    const entries = childrenPerRound(context, node.child);
    return { what: "short runs", entries, merged: false, ahead: prefetchedEntries(context, node, entries) };
  },
};

/** Entries that a round prefetches ahead where the table reaches past L2: no hardware prefetcher follows a table. */
export function prefetchedEntries({ tuning }: LoopContext, { highBytes, lowBytes }: Blocks, entries: number): number {
  return entries > 1 && highBytes - lowBytes >= tuning.prefetchReachBytes ? tuning.prefetchEntries : 0;
}
