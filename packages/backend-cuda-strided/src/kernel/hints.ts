import type { LoadHints, StoreHints } from "@stowage/ptx";
import type { Shape } from "../shape.js";

/**
 * Sources do not change while a kernel runs. Where memory is the limit, stores that leave L2 early are worth 1 to 5 %;
 * where L2 holds it all, loads that leave L1 alone are. Words smaller than 4 bytes find their sector in L1.
 */
export function loadHints({ streams, wordBytes }: Shape): LoadHints {
  return streams || wordBytes < 4 ? { nonCoherent: true } : { nonCoherent: true, l1: "no_allocate" };
}

export const storeHints = ({ streams }: Shape): StoreHints => (streams ? { operator: "cs" } : {});
