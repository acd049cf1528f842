import type { Blocks } from "@stowage/ir";
import { ZMM_BYTES } from "../../../widths.js";
import { isRagged, NO_RUNS } from "../../facts/ragged-runs.js";
import { hasMasks } from "../../facts/vector-levels.js";
import type { RunsPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/** Longest run that masks move. */
const LONGEST_BYTES = 128;
/** Bytes of masked moves at most, for each byte of a run on average. */
const MOST_WASTE = 4;

/**
 * At AVX-512, more runs than the branch history holds, each by as many vectors, of which masks leave its bytes: no
 * branch depends on a length. On a Xeon unpacked 1.15 to 1.25 times as fast at 32 KiB, 1.25 at 512 KiB; 0.75 at 4 KiB,
 * where branches are predicted.
 */
export const maskedRuns: Rule<Blocks, RunsPlan> = {
  name: "masked runs",
  plan({ isa, tuning }, node) {
    const { blocklengths, child, sizeBytes } = node;
    if (blocklengths === 1 || !isRagged(node)) return NO_RUNS;
    if (blocklengths.length <= tuning.branchHistoryRuns) return "the branch history holds their lengths";
    if (!hasMasks(isa.level) || !tuning.maskedRuns) return "no AVX-512";
    let longest = 0;
    for (const length of blocklengths) longest = Math.max(longest, length * child.sizeBytes);
    const stepBytes = Math.ceil(longest / ZMM_BYTES) * ZMM_BYTES;
    const isWorth = stepBytes <= LONGEST_BYTES && stepBytes * blocklengths.length <= MOST_WASTE * sizeBytes;
    return isWorth ? { what: "masked", stepBytes } : "some runs are long, or most much shorter than others";
  },
};
