import { copiedFrom } from "../../facts/lengths.js";
import type { LengthPlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

/**
 * REP MOVSB where the processor's description names a length from which it copies faster than vectors do: 66 to 74 GB/s
 * from L2 on a Zen 5, rounds of vectors 51 to 57; runs of 4 KiB and more take 0.7 to 1.0 of the time, unpacked ones of
 * 2 KiB too. On a Zen 4 it is 4 % behind at 1 MiB. On a Golden Cove public calls of 10 to 24 KiB are 1.2 times as
 * fast by it, since the target's lines need not be read into an L1d that the call has used too.
 */
export const repMovsb: Rule<number, LengthPlan> = {
  name: "REP MOVSB",
  plan: (context, lengthBytes) => copiedFrom(context, lengthBytes, context.tuning.repMovsbBytes),
};
