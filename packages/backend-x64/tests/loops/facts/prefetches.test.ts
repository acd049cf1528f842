import { dense, stream } from "@stowage/ir";
import { expect, test } from "vitest";
import { NearRounds } from "../../../src/loops/facts/near-rounds.js";
import { isPrefetched } from "../../../src/loops/facts/prefetches.js";
import { ReadableGaps } from "../../../src/loops/facts/readable-gaps.js";
import { Constants } from "../../../src/loops/facts/constants.js";
import type { LoopContext } from "../../../src/loops/loop-context.js";
import { DEFAULT_TUNING, tuningOf, type Tuning } from "../../../src/options.js";
import { zen5 } from "../../../src/targets/zen-5.js";

const context = (tuning: Tuning, others: Partial<LoopContext> = {}): LoopContext => ({
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
const blocks = (count: number, strideBytes = 3240) => stream(count, strideBytes, dense(40));

test("sparse blocks of a stream that reaches past L2 are prefetched", () => {
  expect(isPrefetched(context(DEFAULT_TUNING), blocks(1000))).toBe(true);
  expect(isPrefetched(context(DEFAULT_TUNING), blocks(100))).toBe(false);
  expect(isPrefetched(context(DEFAULT_TUNING, { direction: "unpack" }), blocks(1000))).toBe(false);
});

test("where prefetches cost in L2, only blocks whose lines it holds are left out", () => {
  const tuning = tuningOf({}, zen5);
  expect(isPrefetched(context(tuning), blocks(1000))).toBe(false);
  expect(isPrefetched(context(tuning), blocks(10_000))).toBe(true);
  expect(isPrefetched(context(tuning), blocks(1000, 4096))).toBe(true); // the lines are in a 64th of the sets
  expect([1024, 1025].map((count) => isPrefetched(context(tuning), blocks(count, 512)))).toEqual([false, true]); // in an eighth
  expect(isPrefetched(context(tuning, { outOfCache: { what: "padded" } }), blocks(1000))).toBe(true);
  expect(isPrefetched(context(tuning), blocks(1))).toBe(true); // elements of a run-time count may reach anywhere
});
