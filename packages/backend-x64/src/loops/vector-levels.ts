import type { FeatureLevel } from "../feature-level.js";

/** Whether a level has masks of bytes, for loads and stores. */
export const hasMasks = (level: FeatureLevel): boolean => level === "avx512";
