import type { WalkPlan } from "../../plans.js";
import type { Rule, WalkedBlocks } from "../../rule.js";

const NESTED: WalkPlan = { what: "nested" };

/** Blocks of any kind, the state of the walk on the stack: what always can be done. */
export const nestedEntries: Rule<WalkedBlocks, WalkPlan> = { name: "nested entries", plan: () => NESTED };
