import type { Target } from "./target.js";

/** AMD's family 19h, models 10h-1Fh, 60h-7Fh and A0h-AFh; the other models are Zen 3's, on which nothing was measured. */
const MODELS: readonly (readonly [number, number])[] = [
  [0x10, 0x1f],
  [0x60, 0x7f],
  [0xa0, 0xaf],
];

/** Measured on an EPYC of two cores: results/epyc/strides.json, docs/notes/2026-11-22-x64.md. */
export const zen4: Target = {
  name: "Zen 4",
  describes: ({ vendor, family, model }) =>
    vendor === "AuthenticAMD" && family === 0x19 && MODELS.some(([low, high]) => model >= low && model <= high),
  limitsSetConflicts: true,
  retriesMisses: true,
  branchHistoryRuns: 4096,
  repMovsbBytes: Infinity,
  repMovsbUnpackedBytes: Infinity,
  repMovsbBetweenCoresBytes: Infinity,
  prefetchesL2: true,
  longRoundsInL2: false,
};
