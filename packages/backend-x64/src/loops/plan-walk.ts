import type { LoopContext } from "./loop-context.js";
import { choose, type Choice, type Rule } from "./rule.js";
import { mergedEntries } from "./rules/walks/merged-entries.js";
import { nestedEntries } from "./rules/walks/nested-entries.js";
import { singleEntries } from "./rules/walks/single-entries.js";
import { sortedEntries } from "./rules/walks/sorted-entries.js";
import type { WalkedBlocks, WalkPlan } from "./walk-plan.js";

/** In the order in which they are asked; the last one always gives a plan. */
export const WALK_RULES: readonly Rule<WalkedBlocks, WalkPlan>[] = [
  sortedEntries,
  mergedEntries,
  singleEntries,
  nestedEntries,
];

/** How the blocks of a table are moved. */
export const planWalk = (context: LoopContext, blocks: WalkedBlocks): Choice<WalkPlan> =>
  choose(WALK_RULES, context, blocks);
