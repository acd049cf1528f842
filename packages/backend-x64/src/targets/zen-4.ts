import { instructionsALine, type Target } from "./target.js";

/** AMD's family 19h, models 10h-1Fh, 60h-7Fh and A0h-AFh; the other models are Zen 3's, on which nothing was measured. */
const MODELS: readonly (readonly [number, number])[] = [
  [0x10, 0x1f],
  [0x60, 0x7f],
  [0xa0, 0xaf],
];

/**
 * Hardware: AMD's Software Optimization Guide for the Zen 4 Microarchitecture (57647); fill buffers and strides, and behaviour,
 * measured on an EPYC of two cores: results/epyc/strides.json, docs/notes/2026-11-22-x64.md.
 */
export const zen4: Target = {
  name: "Zen 4",
  describes: ({ vendor, family, model }) =>
    vendor === "AuthenticAMD" && family === 0x19 && MODELS.some(([low, high]) => model >= low && model <= high),
  hardware: {
    l1d: { ways: 8, sets: 64 },
    l2: { ways: 8, sets: 2048 },
    llc: { ways: 16, sets: 32_768 },
    dtlbPages: 3072,
    instructionsALine: instructionsALine(320, 24),
    followedLinesBytes: 255,
    followedStrideBytes: 8192,
  },
  behaviour: {
    limitsSetConflicts: true,
    retriesMisses: true,
    branchHistoryRuns: 4096,
    repMovsbBytes: Infinity,
    repMovsbBetweenCoresBytes: Infinity,
    prefetchesL2: true,
    longRoundsInL2: false,
  },
};
