import { LEAST_COPIED_BYTES } from "../../facts/lengths.js";
import { nonTemporalWidthOf } from "../../loop-context.js";
import { COPIED, type LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * The copy whose stores keep to lines of the target, where the processor's description names a length from which that
 * gains. A store across two lines takes twice as long, and nobody knows where a run's target begins: runs of 16 KiB in
 * L1d that begin at an odd word take 0.3 to 0.5 of the time on a Golden Cove, 0.6 on a Zen 5.
 */
export const alignedStores: Rule<number, LengthPlan> = {
  name: "aligned stores",
  plan(context, lengthBytes) {
    if (nonTemporalWidthOf(context) !== undefined) return "the run takes non-temporal stores";
    const least = Math.max(LEAST_COPIED_BYTES, context.tuning.alignedStoresBytes);
    return lengthBytes >= least ? COPIED : "a run too short for it, or no processor that gains";
  },
};
