import type { Blocks } from "@stowage/ir";
import { byLength, EMPTY_RUN, isRagged, NO_RUNS } from "../../facts/ragged-runs.js";
import type { RunsPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * Runs whose lengths the branch history holds, in classes of a power of two: one move from the head, one up to the
 * tail. At 32 KiB 25 GB/s, a plain loop 14 to 19, clamped moves 20 to 25; at 1 MiB all three 15 to 21 (Zen 4, runs of 1
 * to 16 doubles).
 */
export const headAndTail: Rule<Blocks, RunsPlan> = {
  name: "head and tail",
  plan({ isa, tuning }, node) {
    const { blocklengths } = node;
    if (blocklengths === 1 || !isRagged(node)) return NO_RUNS;
    if (blocklengths.length > tuning.branchHistoryRuns) return "more runs than the branch history holds";
    return byLength(isa.widest, node, 2) ?? EMPTY_RUN;
  },
};
