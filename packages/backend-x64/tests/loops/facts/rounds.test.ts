import { dense, stream } from "@stowage/ir";
import { expect, test } from "vitest";
import { longRounds } from "../../../src/loops/facts/rounds.js";
import type { Round } from "../../../src/loops/plans.js";
import { DEFAULT_TUNING, tuningOf, type Tuning } from "../../../src/options.js";
import { zen5 } from "../../../src/targets/zen-5.js";
import { loopContext } from "../loop-context.js";

const singles: Round = { what: "single blocks", children: 8 };
const lengths = (tuning: Tuning, blockBytes: number, strideBytes: number, count: number, round: Round = singles) =>
  longRounds(
    loopContext(tuning, { direction: "unpack" }),
    stream(count, strideBytes, dense(blockBytes)),
    round,
    count,
  ).map(({ children }) => children);

test("sparse blocks that reach past L2 are moved by rounds of 32 before the others", () => {
  expect(lengths(DEFAULT_TUNING, 32, 1000, 1000)).toEqual([32, 8]);
  expect(lengths(DEFAULT_TUNING, 32, 1000, 100)).toEqual([8]);
  expect(lengths(DEFAULT_TUNING, 32, 64, 100_000)).toEqual([8]);
});

test("where eight strides mislead the prefetcher, so are those of one vector at any reach", () => {
  const tuning = tuningOf({}, zen5);
  expect(lengths(tuning, 32, 64, 100)).toEqual([32, 8]);
  expect(lengths(tuning, 32, 64, 63)).toEqual([8]);
  expect(lengths(tuning, 32, 48, 100)).toEqual([8]);
  expect(lengths(tuning, 32, 4096, 100)).toEqual([8]); // the lines conflict in sets
  expect(lengths(tuning, 8, 64, 100)).toEqual([8]);
  expect(lengths(tuning, 48, 64, 100)).toEqual([8]);
  expect(lengths(tuning, 32, 64, 100, { what: "merged stores", children: 8, together: 8 })).toEqual([8]);
});
