import { expect, test } from "vitest";
import { linesThatFit } from "../src/lower/cache.js";

test.each([
  [64, 512],
  [192, 512],
  [-320, 512],
  [2048, 16],
  [-6144, 16],
  [4096, 8],
  [12_288, 8],
  // Past 32 bits, where the bits of a number are no longer all there.
  [2 ** 31, 8],
  [2 ** 32, 8],
  [2 ** 33 + 2048, 16],
])("of lines %d bytes apart the first cache holds %d", (strideBytes, lines) => {
  expect(linesThatFit(strideBytes)).toBe(lines);
});
