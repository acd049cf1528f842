import type { Target } from "./target.js";

/** A processor that nobody has measured: nothing is on that won on some only. The Xeon of results/xeon gains by none of it. */
export const unknown: Target = {
  name: "unknown",
  describes: () => true,
  limitsSetConflicts: false,
  retriesMisses: false,
  branchHistoryRuns: 256,
  repMovsbBytes: Infinity,
  repMovsbUnpackedBytes: Infinity,
  repMovsbBetweenCoresBytes: Infinity,
  prefetchesL2: true,
  longRoundsInL2: false,
};
