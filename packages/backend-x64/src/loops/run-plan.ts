import { LONG_RUN_BYTES, MOST_MOVES_OF_RUN, NON_TEMPORAL_RUN_BYTES } from "./cost.js";
import { nonTemporalWidthOf, widestMoveOf, type LoopContext } from "./loop-context.js";

/** How a run of constant length is moved: written out, in rounds of so many moves, or by the copy of a run-time length. */
export type RunPlan = "written out" | "rounds" | "copied";

/** Moves of a round. */
export const RUN_MOVES_PER_ROUND = 8;

export function runPlanOf(context: LoopContext, lengthBytes: number): RunPlan {
  if (lengthBytes <= MOST_MOVES_OF_RUN * widestMoveOf(context)) return "written out";
  if (context.outOfCache?.what === "long runs" && lengthBytes >= NON_TEMPORAL_RUN_BYTES) return "copied";
  // The copy takes the loop counters, which the loops around a shorter run keep in registers.
  const leastByRep = Math.max(LONG_RUN_BYTES, context.tuning.repMovsbBytes);
  const byRep = lengthBytes >= leastByRep && nonTemporalWidthOf(context) === undefined;
  return byRep ? "copied" : "rounds";
}
