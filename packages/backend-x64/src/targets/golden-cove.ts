import type { Target } from "./target.js";

/**
 * Intel's family 6: Sapphire Rapids and Emerald Rapids, whose cores are Golden Cove and its successor of the same
 * sizes.
 */
const MODELS: readonly number[] = [0x8f, 0xcf];

/**
 * The Xeon of results/xeon and results/h200 (model CFh). Sizes: Intel's 64 and IA-32 Architectures Optimization
 * Reference Manual, chapter on Golden Cove: 512 entries of the reorder buffer, 16 fill buffers, 2,048 entries of the
 * second-level dTLB. It loses by fences (0.76 of the speed unpacked, results/xeon/strides.json) and by NOP padding out
 * of cache (0.83 to 0.92, docs/notes/2026-11-22-x64.md). It gains up to three times by stores that keep to lines
 * (docs/notes/2026-11-28-aligned-stores.md), and by REP MOVSB where a run and its target fill most of L1d, which calls
 * and the core's other thread use too: public calls of 10 to 24 KiB are 1.07 times the better MPI by it, and 0.91 by
 * vectors (docs/notes/2026-11-24-small-calls.md#on-the-xeon). The rest nobody measured.
 */
export const goldenCove: Target = {
  name: "Golden Cove",
  describes: ({ vendor, family, model }) => vendor === "GenuineIntel" && family === 6 && MODELS.includes(model),
  geometry: { l1d: { sets: 64, ways: 12 }, l2Bytes: 2 ** 21, llcBytes: 300 * 2 ** 20, dtlbPages: 2048 },
  reorderBufferEntries: 512,
  fillBuffers: 16,
  unfollowedStrideBytes: 256,
  behaviour: {
    paddedPageStoresBytes: 6 * 1024,
    paddingLimitsConflicts: false,
    fencesLimitConflicts: false,
    retriesMisses: false,
    repMovsbBytes: 12 * 1024,
    alignedStoresBytes: 1024,
  },
};
