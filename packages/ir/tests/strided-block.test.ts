import { expect, test } from "vitest";
import { canonicalise, indexedBlock, lower, predefined, stridedBlock, struct, subarray } from "../src/index.js";

const FLOAT = predefined("MPI_FLOAT");

test("a cuboid is one strided object, innermost dimension first", () => {
  const cuboid = subarray({ sizes: [8, 6, 4], subsizes: [3, 2, 2], starts: [1, 1, 1], order: "C", child: FLOAT });
  expect(stridedBlock(canonicalise(lower(cuboid)))).toEqual({
    startBytes: (1 * 24 + 1 * 4 + 1) * 4,
    counts: [8, 2, 3],
    stridesBytes: [1, 16, 96],
  });
});

test("an irregular list and a sequence are none", () => {
  expect(stridedBlock(canonicalise(lower(indexedBlock(1, [0, 3, 4, 9], FLOAT))))).toBeUndefined();
  const mixed = struct(
    [1, 1],
    [0, 100],
    [subarray({ sizes: [9], subsizes: [2], starts: [0], order: "C", child: FLOAT }), FLOAT],
  );
  expect(stridedBlock(canonicalise(lower(mixed)))).toBeUndefined();
});

test("a datatype of no bytes is none", () => {
  expect(stridedBlock(canonicalise(lower(struct([], [], []))))).toBeUndefined();
});
