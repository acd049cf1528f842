import type { Combination, ReduceRule } from "../reduce-plan.js";

/** Element by element in general registers: what always can be done. */
export const combinedElements: ReduceRule<Combination> = { name: "elements", plan: () => ({ what: "elements" }) };
