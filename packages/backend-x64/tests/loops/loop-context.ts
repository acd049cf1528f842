import { Constants } from "../../src/loops/facts/constants.js";
import { NearRounds } from "../../src/loops/facts/near-rounds.js";
import { ReadableGaps } from "../../src/loops/facts/readable-gaps.js";
import type { LoopContext } from "../../src/loops/loop-context.js";
import type { Tuning } from "../../src/options.js";

/** What facts are asked about: a pack for AVX2 of data that is in the caches, and what a test says otherwise. */
export const loopContext = (tuning: Tuning, others: Partial<LoopContext> = {}): LoopContext => ({
  direction: "pack",
  isa: { level: "avx2", widest: 32 },
  tuning,
  outOfCache: undefined,
  expectedCalls: 0,
  constants: new Constants(),
  nearRounds: new NearRounds(),
  readableGaps: new ReadableGaps(),
  ...others,
});
