import { dense, stream } from "@stowage/ir";
import { expect, test } from "vitest";
import { isPrefetched } from "../../../src/loops/facts/prefetches.js";
import { DEFAULT_TUNING, tuningOf } from "../../../src/options.js";
import { zen5 } from "../../../src/targets/zen-5.js";
import { loopContext } from "../loop-context.js";

const blocks = (count: number, strideBytes = 3240) => stream(count, strideBytes, dense(40));

test("sparse blocks of a stream that reaches past L2 are prefetched", () => {
  expect(isPrefetched(loopContext(DEFAULT_TUNING), blocks(1000))).toBe(true);
  expect(isPrefetched(loopContext(DEFAULT_TUNING), blocks(100))).toBe(false);
  expect(isPrefetched(loopContext(DEFAULT_TUNING, { direction: "unpack" }), blocks(1000))).toBe(false);
});

test("where prefetches cost in L2, only blocks whose lines it holds are left out", () => {
  const tuning = tuningOf({}, zen5);
  expect(isPrefetched(loopContext(tuning), blocks(1000))).toBe(false);
  expect(isPrefetched(loopContext(tuning), blocks(10_000))).toBe(true);
  expect(isPrefetched(loopContext(tuning), blocks(1000, 4096))).toBe(true); // the lines are in a 64th of the sets
  expect([1024, 1025].map((count) => isPrefetched(loopContext(tuning), blocks(count, 512)))).toEqual([false, true]); // in an eighth
  expect(isPrefetched(loopContext(tuning, { outOfCache: { what: "padded" } }), blocks(1000))).toBe(true);
  expect(isPrefetched(loopContext(tuning), blocks(1))).toBe(true); // elements of a run-time count may reach anywhere
});
