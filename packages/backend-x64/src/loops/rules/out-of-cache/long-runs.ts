import { LONG_RUNS, MOST_ELEMENTS } from "../../facts/large-elements.js";
import type { OutOfCacheRule } from "../../rule.js";

/**
 * Long runs that begin anywhere: the lines inside them by non-temporal stores, both ends by moves that overlap them.
 */
export const longRuns: OutOfCacheRule = {
  name: "long runs",
  plan(context, { sizeBytes, isMostlyLong }) {
    if (sizeBytes < context.tuning.nonTemporalBytes / MOST_ELEMENTS) return "elements too small for code of their own";
    return isMostlyLong() ? LONG_RUNS : "most bytes lie in shorter runs";
  },
};
