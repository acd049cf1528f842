import type { Target } from "./target.js";

/**
 * As Zen 4, but for REP MOVSB: 66 to 74 GB/s from L2, rounds of vectors 51 to 57, whatever the offset within a page.
 * Between cores: results/epyc/between-cores.json. Sizes: AMD's Software Optimization Guide for the Zen 5
 * microarchitecture (58455); fill buffers as Zen 4.
 */
export const zen5: Target = {
  name: "Zen 5",
  describes: ({ vendor, family }) => vendor === "AuthenticAMD" && family === 0x1a,
  geometry: { l1d: { sets: 64, ways: 12 }, l2Bytes: 2 ** 20, llcBytes: 2 ** 25, dtlbPages: 4096 },
  reorderBufferEntries: 448,
  fillBuffers: 24,
  unfollowedStrideBytes: 256,
  behaviour: {
    limitsSetConflicts: true,
    retriesMisses: true,
    branchHistoryRuns: 4096,
    repMovsbBytes: 4096,
    repMovsbUnpackedBytes: 2048,
    repMovsbBetweenCoresBytes: 1024,
    prefetchesL2: false,
    longRoundsInL2: true,
  },
};
