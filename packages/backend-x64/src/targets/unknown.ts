import type { Target } from "./target.js";

/**
 * A processor that nobody has measured. Where cpuid is silent as well, it is taken for what every x86-64 processor of the last ten
 * years has at least: 32 KiB of L1d in 8 ways, 1 MiB of L2, 2,048 pages of dTLB.
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
