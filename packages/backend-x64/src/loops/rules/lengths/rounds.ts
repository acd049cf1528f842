import type { LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/** Moves of a round: enough to hide the counting. Rounds of 1, 2, 4 and 8 differ by nothing on long runs. */
const ROUNDS: LengthPlan = { what: "rounds", moves: 8 };

/** A loop over full rounds, then what is left; the last move overlaps them: what always can be done. */
export const rounds: Rule<number, LengthPlan> = { name: "rounds", plan: () => ROUNDS };
