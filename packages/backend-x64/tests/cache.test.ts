import { expect, test } from "vitest";
import { linesThatFit, piecesThatFit } from "../src/loops/cache.js";

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
])("of lines %d bytes apart L1d holds %d", (strideBytes, lines) => {
  expect(linesThatFit(strideBytes)).toBe(lines);
});

test.each([
  // Whole lines, as above.
  [2048, 16],
  [64, 512],
  // 514 and 1026 doubles, 514 floats: each next piece but one or two lies 8 to 16 bytes on.
  [4112, 4],
  [-8208, 4],
  [2056, 8],
  // 258 and 516 doubles: 32 bytes on.
  [2064, 128],
  [4128, 128],
  [1000, 128],
])("of pieces %d bytes apart L1d holds %d", (strideBytes, pieces) => {
  expect(piecesThatFit(strideBytes)).toBe(pieces);
});
