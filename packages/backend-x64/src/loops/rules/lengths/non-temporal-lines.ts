import { NON_TEMPORAL_RUN_BYTES } from "../../facts/lengths.js";
import { COPIED, type LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * Out of cache, the full lines inside a long run by non-temporal stores, wherever the run begins: runs of 13 to 73 KiB
 * take them 1.2 to 1.6 times as fast at 16 MiB on a Zen 4.
 */
export const nonTemporalLines: Rule<number, LengthPlan> = {
  name: "non-temporal lines",
  plan({ outOfCache }, lengthBytes) {
    if (outOfCache?.what !== "long runs") return "the launch is not one of long runs";
    return lengthBytes >= NON_TEMPORAL_RUN_BYTES ? COPIED : "a run too short for its lines to gain";
  },
};
