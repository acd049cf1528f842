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
  runUnitBytes,
  stream,
  struct,
  vector,
} from "../../src/index.js";

const INT = predefined("MPI_INT");

test("the unit of a layout divides every run, and no greater number does", () => {
  const units = [
    [vector(3, 2, 5, INT), 8],
    [hindexed([3, 2], [0, 40], INT), 4],
    [struct([1, 1], [0, 16], [INT, predefined("MPI_DOUBLE")]), 4],
    [predefined("MPI_SHORT"), 2],
  ] as const;
  for (const [type, unit] of units) expect(runUnitBytes(canonicalise(lower(type)))).toBe(unit);
  const bytes = blocks(
    integerTable(2, (i) => 20 * i),
    integerTable(2, (i) => 6 + 6 * i),
    1,
    dense(1),
  );
  expect(runUnitBytes(layout(0, stream(2, 64, bytes), { lowerBoundBytes: 0, extentBytes: 128 }))).toBe(6);
});

test("what moves nothing has no unit", () => {
  expect(runUnitBytes(canonicalise(lower(vector(0, 1, 1, INT))))).toBe(0);
});
