import type { Blocks } from "@stowage/ir";
import { byLength, EMPTY_RUN, isRagged, NO_RUNS } from "../../facts/ragged-runs.js";
import type { RunsPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * More runs than the branch history holds, in classes that reach to four times their least length, by four moves whose
 * places are clamped to the run: 8 to 128 bytes take one branch. At 4 MiB 16 GB/s, head and tail 8.6, a plain loop 4.4
 * (Zen 4).
 */
export const clampedMoves: Rule<Blocks, RunsPlan> = {
  name: "clamped moves",
  plan({ isa, tuning }, node) {
    const { blocklengths } = node;
    if (blocklengths === 1 || !isRagged(node)) return NO_RUNS;
    if (blocklengths.length <= tuning.branchHistoryRuns) return EMPTY_RUN;
    return byLength(isa.widest, node, 4) ?? EMPTY_RUN;
  },
};
