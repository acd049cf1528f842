import { choose, type Choice, type Rule } from "./rule.js";
import type { LoopContext } from "./loop-context.js";
import { nonTemporalLines } from "./rules/lengths/non-temporal-lines.js";
import { repMovsb } from "./rules/lengths/rep-movsb.js";
import { rounds } from "./rules/lengths/rounds.js";
import { writtenOut } from "./rules/lengths/written-out.js";
import type { LengthPlan } from "./length-plan.js";

/** In the order in which they are asked, of a length in bytes; the last one always gives a plan. */
export const LENGTH_RULES: readonly Rule<number, LengthPlan>[] = [writtenOut, nonTemporalLines, repMovsb, rounds];

/** How a run of constant length is moved. */
export const planLength = (context: LoopContext, lengthBytes: number): Choice<LengthPlan> =>
  choose(LENGTH_RULES, context, lengthBytes);
