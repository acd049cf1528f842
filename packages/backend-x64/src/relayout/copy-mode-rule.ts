import type { OutOfCachePlan } from "../loops/plans.js";
import type { Rule } from "../loops/rule.js";
import type { Pair } from "./pair.js";

/** One way to move an ordered pair that the caches do not hold, or why nothing is gained by it. */
export type CopyModeRule = Rule<Pair, OutOfCachePlan | typeof CACHED>;

/** As in the caches. */
export const CACHED = { outOfCache: undefined } as const;
