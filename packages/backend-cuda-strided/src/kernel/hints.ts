import type { LoadHints, StoreHints } from "@stowage/ptx";
import type { Shape } from "../shape.js";

/**
 * Sources do not change while a kernel runs. Nothing more: loads that leave L1 alone are not kept in L2 either, and
 * what is packed again and again then comes from memory each time (docs/design/gpu-strided.md, face x).
 */
const LOAD_HINTS: LoadHints = { nonCoherent: true };

/** What a resident kernel reads changes while it runs: L1 must not answer. PTX ISA 9.7.9.1, ld.cg. */
const RESIDENT_HINTS: LoadHints = { operator: "cg" };

export const loadHints = ({ resident }: Shape): LoadHints => (resident === true ? RESIDENT_HINTS : LOAD_HINTS);

/** Where memory is the limit, stores that leave L2 early are worth 1 to 5 %. */
export const storeHints = ({ streams }: Shape): StoreHints => (streams ? { operator: "cs" } : {});
