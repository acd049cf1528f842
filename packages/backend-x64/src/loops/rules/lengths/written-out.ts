import { isShortLength } from "../../facts/lengths.js";
import { widestMoveOf } from "../../loop-context.js";
import type { LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

const WRITTEN_OUT: LengthPlan = { what: "written out" };

/** Few moves one after another: no counter, no jump, and the last one overlaps the one before it. */
export const writtenOut: Rule<number, LengthPlan> = {
  name: "written out",
  plan: (context, lengthBytes) =>
    isShortLength(lengthBytes, widestMoveOf(context)) ? WRITTEN_OUT : "more moves than are written out",
};
