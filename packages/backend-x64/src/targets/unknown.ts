import type { Target } from "./target.js";

/**
 * A processor that nobody has measured. Where cpuid is silent as well, its caches are taken for those of the machines
 * on which the thresholds were found, but for L1d and dTLB: 32 KiB in 8 ways and 2,048 pages, which are the smaller
 * ones in use.
 */
export const unknown: Target = {
  name: "unknown",
  describes: () => true,
  geometry: { l1d: { sets: 64, ways: 8 }, l2Bytes: 2 ** 20, llcBytes: 2 ** 25, dtlbPages: 2048 },
  reorderBufferEntries: 320,
  fillBuffers: 24,
  unfollowedStrideBytes: 256,
  behaviour: {},
};
