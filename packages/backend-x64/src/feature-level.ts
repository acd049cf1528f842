/** The vector instructions that machine code may use. Each level includes the ones before it. */
export type FeatureLevel = "sse2" | "avx2" | "avx512";

/** The levels of machine code, the least first. */
export const FEATURE_LEVELS: readonly FeatureLevel[] = Object.freeze(["sse2", "avx2", "avx512"]);

/** Whether a machine of level `machine` runs code of level `code`. */
export const runsOn = (code: FeatureLevel, machine: FeatureLevel): boolean =>
  FEATURE_LEVELS.indexOf(code) <= FEATURE_LEVELS.indexOf(machine);
