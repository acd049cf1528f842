import type { Target } from "./target.js";

/**
 * Sizes: AMD's Software Optimization Guide for the Zen 5 microarchitecture (58455). Fill buffers: measured, pointer
 * chases keep 48 misses outstanding (results/epyc/outstanding-misses.json); so many are hardly ever used up, and NOP
 * padding out of cache packs at 0.6 to 0.7 of the speed (results/epyc/padded-blocks.json). Padding between loads that
 * conflict gains up to 1.7, fences between such stores nothing (docs/notes/2026-11-23-zen-5.md), padding between them
 * 1.8 in the mean (docs/notes/2026-11-28-padded-stores.md). REP MOVSB: 66 to 74
 * GB/s from L2, rounds of vectors 51 to 57, whatever the offset within a page; between cores:
 * results/epyc/between-cores.json. Stores that keep to lines: docs/notes/2026-11-28-aligned-stores.md.
 */
export const zen5: Target = {
  name: "Zen 5",
  describes: ({ vendor, family }) => vendor === "AuthenticAMD" && family === 0x1a,
  geometry: { l1d: { sets: 64, ways: 12 }, l2Bytes: 2 ** 20, llcBytes: 2 ** 25, dtlbPages: 4096 },
  reorderBufferEntries: 448,
  fillBuffers: 48,
  unfollowedStrideBytes: 256,
  behaviour: {
    paddedPageStoresBytes: 6 * 1024,
    paddingLimitsConflicts: true,
    fencesLimitConflicts: false,
    paddingLimitsStoreConflicts: true,
    retriesMisses: false,
    branchHistoryRuns: 4096,
    repMovsbBytes: 4096,
    repMovsbUnpackedBytes: 2048,
    repMovsbBetweenCoresBytes: 1024,
    alignedStoresBytes: 1024,
    prefetchesL2: false,
    longRoundsInL2: true,
  },
};
