import { copiedFrom } from "../../facts/lengths.js";
import type { LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * The copy whose stores keep to lines of the target, where the processor's description names a length from which that
 * gains. A store across two lines takes twice as long, and nobody knows where a run's target begins: runs of 16 KiB in
 * L1d that begin at an odd word take 0.3 to 0.5 of the time on a Golden Cove, 0.6 on a Zen 5.
 */
export const alignedStores: Rule<number, LengthPlan> = {
  name: "aligned stores",
  plan: (context, lengthBytes) => copiedFrom(context, lengthBytes, context.tuning.alignedStoresBytes),
};
