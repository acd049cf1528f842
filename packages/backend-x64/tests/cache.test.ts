import { expect, test } from "vitest";
import { conflictsInSets, linesOfSet, linesThatFit, piecesThatFit } from "../src/loops/facts/cache.js";

const EIGHT_WAYS = { sets: 64, ways: 8 };

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
  expect(linesThatFit(EIGHT_WAYS, strideBytes)).toBe(lines);
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
  expect(piecesThatFit(EIGHT_WAYS, strideBytes)).toBe(pieces);
});

test("sets and ways are the processor's own", () => {
  const [twelve, large] = [
    { sets: 64, ways: 12 },
    { sets: 128, ways: 16 },
  ];
  // Two ways a set are left for loads. Six pieces a set, or fewer where two of its ways would not be left for loads.
  const four = { sets: 64, ways: 4 };
  expect([four, EIGHT_WAYS, twelve].map((l1d) => piecesThatFit(l1d, 4112))).toEqual([2, 4, 4]);
  expect([linesOfSet(twelve), linesThatFit(twelve, 4096)]).toEqual([8, 8]);
  expect([linesThatFit(large, 8192), linesThatFit(large, 4096)]).toEqual([16, 32]);
  expect([conflictsInSets(twelve, 2048), conflictsInSets(large, 2048), conflictsInSets(large, 4096)]).toEqual([
    true,
    false,
    true,
  ]);
});
