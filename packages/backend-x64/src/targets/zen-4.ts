import type { Target } from "./target.js";

/** AMD's family 19h, models 10h-1Fh, 60h-7Fh and A0h-AFh; the other models are Zen 3's. */
const MODELS: readonly (readonly [number, number])[] = [
  [0x10, 0x1f],
  [0x60, 0x7f],
  [0xa0, 0xaf],
];

/**
 * Measured on an EPYC of two cores: results/epyc/strides.json, docs/notes/2026-11-22-x64.md. Sizes: AMD's Software
 * Optimization Guide for the Zen 4 microarchitecture (57647); 24 misses: measured, as many as Zen 3's.
 */
export const zen4: Target = {
  name: "Zen 4",
  describes: ({ vendor, family, model }) =>
    vendor === "AuthenticAMD" && family === 0x19 && MODELS.some(([low, high]) => model >= low && model <= high),
  geometry: { l1d: { sets: 64, ways: 8 }, l2Bytes: 2 ** 20, llcBytes: 2 ** 25, dtlbPages: 3072 },
  reorderBufferEntries: 320,
  fillBuffers: 24,
  unfollowedStrideBytes: 256,
  behaviour: {
    paddedPageStoresBytes: 6 * 1024,
    paddingLimitsConflicts: true,
    fencesLimitConflicts: true,
    retriesMisses: true,
    branchHistoryRuns: 4096,
    repMovsbBytes: Infinity,
    repMovsbUnpackedBytes: Infinity,
    repMovsbBetweenCoresBytes: Infinity,
    prefetchesL2: true,
    longRoundsInL2: false,
  },
};
