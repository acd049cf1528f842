import { expect, test } from "vitest";
import { meanOf } from "../src/results/mean.js";

test("twice and half as fast are as fast in the mean", () => {
  expect(meanOf([2, 0.5])).toEqual({ cells: 2, geometricMean: 1, least: 0.5, greatest: 2 });
  expect(meanOf([])).toBeUndefined();
});
