import type { Target } from "./target.js";
import { zen4 } from "./zen-4.js";

const FAMILY = 0x19;

/**
 * AMD's family 19h but for Zen 4's models. Measured on an EPYC of model 1 (docs/notes/2026-11-29-zen-3.md): every
 * alternative in turns, and 22 to 24 misses outstanding (results/epyc/outstanding-misses-zen-3.json). Sizes: AMD's
 * Software Optimization Guide for the Zen 3 microarchitecture (56665). REP MOVSB takes up to ten times as long where
 * source and target lie alike in their pages.
 */
export const zen3: Target = {
  name: "Zen 3",
  describes: (processor) =>
    processor.vendor === "AuthenticAMD" && processor.family === FAMILY && !zen4.describes(processor),
  geometry: { l1d: { sets: 64, ways: 8 }, l2Bytes: 2 ** 19, llcBytes: 2 ** 25, dtlbPages: 2048 },
  reorderBufferEntries: 256,
  fillBuffers: 24,
  unfollowedStrideBytes: 256,
  behaviour: {
    paddedPageStoresBytes: 2 ** 15,
    paddingLimitsConflicts: true,
    fencesLimitConflicts: true,
    paddingLimitsStoreConflicts: false,
    retriesMisses: false,
    branchHistoryRuns: 4096,
    repMovsbBytes: Infinity,
    repMovsbUnpackedBytes: Infinity,
    repMovsbBetweenCoresBytes: Infinity,
    prefetchesL2: true,
  },
};
