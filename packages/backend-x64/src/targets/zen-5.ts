import type { Target } from "./target.js";
import { zen4 } from "./zen-4.js";

/**
 * Hardware: AMD's Software Optimization Guide for the Zen 5 Microarchitecture (58455); it names no fill buffers: the padding is
 * Zen 4's. REP MOVSB: 66 to 74 GB/s from L2, rounds of vectors 51 to 57, whatever the offset within a page. Between cores:
 * results/epyc/between-cores.json.
 */
export const zen5: Target = {
  name: "Zen 5",
  describes: ({ vendor, family }) => vendor === "AuthenticAMD" && family === 0x1a,
  hardware: {
    ...zen4.hardware,
    l1d: { ways: 12, sets: 64 },
    l2: { ways: 16, sets: 1024 },
    dtlbPages: 4096,
  },
  behaviour: {
    ...zen4.behaviour,
    repMovsbBytes: 4096,
    repMovsbBetweenCoresBytes: 1024,
    prefetchesL2: false,
    longRoundsInL2: true,
  },
};
