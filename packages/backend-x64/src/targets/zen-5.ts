import type { Target } from "./target.js";

/**
 * As Zen 4, but for REP MOVSB: 66 to 74 GB/s from L2, rounds of vectors 51 to 57, whatever the offset within a page. Between cores:
 * results/epyc/between-cores.json.
 */
export const zen5: Target = {
  name: "Zen 5",
  describes: ({ vendor, family }) => vendor === "AuthenticAMD" && family === 0x1a,
  limitsSetConflicts: true,
  retriesMisses: true,
  branchHistoryRuns: 4096,
  repMovsbBytes: 4096,
  repMovsbUnpackedBytes: 2048,
  repMovsbBetweenCoresBytes: 1024,
  prefetchesL2: false,
  longRoundsInL2: true,
};
