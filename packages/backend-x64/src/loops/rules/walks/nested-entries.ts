import type { Rule } from "../../rule.js";
import type { WalkedBlocks, WalkPlan } from "../../walk-plan.js";

const NESTED: WalkPlan = { what: "nested" };

/** Blocks of any kind, the state of the walk on the stack: what always can be done. */
export const nestedEntries: Rule<WalkedBlocks, WalkPlan> = { name: "nested entries", plan: () => NESTED };
