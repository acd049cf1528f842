import { CACHED, type CopyModeRule } from "../../copy-mode-rule.js";

/** Lines that are written in parts stay in the caches until they are whole: what always can be done. */
export const asCached: CopyModeRule = { name: "as in the caches", plan: () => CACHED };
