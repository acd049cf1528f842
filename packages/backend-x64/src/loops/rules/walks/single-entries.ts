import { isShortRun } from "../../facts/lengths.js";
import { prefetchedEntries } from "../../facts/prefetches.js";
import { childrenPerRound } from "../../facts/rounds.js";
import { widestMoveOf } from "../../loop-context.js";
import type { WalkPlan } from "../../plans.js";
import type { Rule, WalkedBlocks } from "../../rule.js";

/** Short blocks one by one, several a round, whose displacements are loaded into two registers in turns. */
export const singleEntries: Rule<WalkedBlocks, WalkPlan> = {
  name: "single entries",
  plan(context, { node }) {
    if (!isShortRun(node.child, widestMoveOf(context))) return "blocks are not short runs";
    const entries = childrenPerRound(context, node.child);
    return { what: "short runs", entries, merged: false, ahead: prefetchedEntries(context, node, entries) };
  },
};
