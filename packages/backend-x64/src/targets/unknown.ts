import { instructionsALine, type Target } from "./target.js";

/**
 * A processor that nobody has measured: nothing is on that won on some only, and of each cache the least that processors of the
 * last ten years have, but for L2 and LLC, which are those of the machines on which the thresholds were found.
 */
export const unknown: Target = {
  name: "unknown",
  describes: () => true,
  hardware: {
    l1d: { ways: 8, sets: 64 },
    l2: { ways: 8, sets: 2048 },
    llc: { ways: 16, sets: 32_768 },
    dtlbPages: 2048,
    instructionsALine: instructionsALine(320, 24),
    followedLinesBytes: 255,
    followedStrideBytes: 8192,
  },
  behaviour: {
    limitsSetConflicts: false,
    retriesMisses: false,
    branchHistoryRuns: 256,
    repMovsbBytes: Infinity,
    repMovsbBetweenCoresBytes: Infinity,
    prefetchesL2: true,
    longRoundsInL2: false,
  },
};
