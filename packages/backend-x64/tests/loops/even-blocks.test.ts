import { blocks, dense, integerTable, type Blocks } from "@stowage/ir";
import { expect, test } from "vitest";
import { equalPiecesOf } from "../../src/loops/even-blocks.js";

/** Runs of so many bytes each, a page apart. */
function runs(...lengths: readonly number[]): Blocks {
  const places = integerTable(lengths.length, (i) => 4096 * i);
  return blocks(
    places,
    integerTable(lengths.length, (i) => lengths[i] as number),
    1,
    dense(1),
  );
}

test("runs that are mostly of the least length become equal blocks", () => {
  const starts = Int32Array.of(0, 16, 32, 4096, 2 * 4096, 3 * 4096);
  expect(equalPiecesOf(runs(48, 16, 16, 16), Infinity)?.displacementsBytes).toEqual(starts);
  expect(equalPiecesOf(runs(48, 16, 16, 16), 49)?.displacementsBytes).toEqual(starts);
});

test("runs that would give many pieces, or are long enough for REP MOVSB, stay whole", () => {
  expect(equalPiecesOf(runs(48, 16), Infinity)).toBeUndefined();
  expect(equalPiecesOf(runs(48, 16, 16, 16), 48)).toBeUndefined();
});
