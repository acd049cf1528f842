import type { LoadHints, StoreHints } from "@stowage/ptx";
import type { Shape } from "../shape.js";

/**
 * Sources do not change while a kernel runs. Nothing more: loads that leave L1 alone are not kept in L2 either, and what
 * is packed again and again then comes from memory each time (docs/gpu-strided.md, face x).
 */
export const LOAD_HINTS: LoadHints = { nonCoherent: true };

/** Where memory is the limit, stores that leave L2 early are worth 1 to 5 %. */
export const storeHints = ({ streams }: Shape): StoreHints => (streams ? { operator: "cs" } : {});
