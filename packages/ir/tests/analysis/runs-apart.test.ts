import { expect, test } from "vitest";
import {
  blocks,
  canonicalise,
  dense,
  hindexed,
  integerTable,
  layout,
  lower,
  predefined,
  resized,
  runsApart,
  vector,
  type Datatype,
} from "../../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const apart = (type: Datatype, count?: number): boolean => runsApart(canonicalise(lower(type)), count);

test("tells elements that share bytes from those that do not, within one datatype and beside others", () => {
  expect(apart(vector(4, 2, 3, DOUBLE), Infinity)).toBe(true);
  expect(apart(vector(4, 2, 1, DOUBLE))).toBe(false);
  expect(apart(vector(4, 2, -2, DOUBLE))).toBe(true);
  expect(apart(vector(4, 1, 0, DOUBLE))).toBe(false);
  const column = resized(0, 8, vector(4, 1, 4, DOUBLE));
  expect([1, 4, 5, Infinity].map((count) => apart(column, count))).toEqual([true, true, false, false]);
  expect(apart(hindexed([2, 1, 1], [40, 0, 20], DOUBLE))).toBe(true);
  expect(apart(hindexed([2, 1, 1], [40, 0, 4], DOUBLE))).toBe(false);
});

test("compares runs one by one where blocks lie between those of others", () => {
  const pair = vector(2, 1, 10, DOUBLE);
  expect(apart(hindexed([1, 1], [0, 8], pair))).toBe(true);
  expect(apart(hindexed([1, 1], [0, 80], pair))).toBe(false);
});

test("judges long tables by where their blocks lie", () => {
  const many = blocks(
    integerTable(2 ** 17, (i) => (i % 2 === 0 ? 16 * i : 16 * (i - 1) + 24)),
    1,
    0,
    dense(4),
  );
  const high = 16 * 2 ** 17;
  expect(runsApart(layout(0, many, { lowerBoundBytes: 0, extentBytes: high }), Infinity)).toBe(true);
});
