import { canonicalise, indexed, lower, predefined, resized, subarray, vector, type Datatype } from "@stowage/ir";
import { expect, test } from "vitest";
import { copyShapeOf } from "../../src/device/copy-shape.js";

const DOUBLE = predefined("MPI_DOUBLE");
const MOST_PITCH = 2 ** 31 - 1;
const shapeOf = (type: Datatype, count = 1, maxPitch = MOST_PITCH) =>
  copyShapeOf(canonicalise(lower(type)), count, maxPitch);

test("contiguous bytes need but a plain copy, also where it is elements that are", () => {
  expect(shapeOf(vector(4, 2, 2, DOUBLE))).toBeUndefined();
  expect(shapeOf(DOUBLE, 1000)).toBeUndefined();
});

test("rows are one 2D copy, also where elements continue them", () => {
  const rows = { kind: "2D", startBytes: 0, widthBytes: 16, pitchBytes: 40, planes: 1 };
  expect(shapeOf(vector(4, 2, 5, DOUBLE))).toMatchObject({ ...rows, rows: 4 });
  expect(shapeOf(resized(0, 160, vector(4, 2, 5, DOUBLE)), 3)).toMatchObject({ ...rows, rows: 12 });
});

test("planes of rows are one 3D copy where a plane is a whole number of pitches", () => {
  const box = subarray({ sizes: [8, 6, 4], subsizes: [3, 2, 2], starts: [1, 1, 1], order: "C", child: DOUBLE });
  expect(shapeOf(box)).toEqual({
    kind: "3D",
    startBytes: (24 + 4 + 1) * 8,
    widthBytes: 16,
    rows: 2,
    pitchBytes: 32,
    planes: 3,
    planeRows: 6,
  });
  expect(shapeOf(resized(0, 250, vector(4, 2, 5, DOUBLE)), 3)).toMatchObject({ kind: "batch" });
});

test("what is no rows is a batch of its blocks, in packed order", () => {
  const shape = shapeOf(indexed([2, 1], [5, 0], DOUBLE), 2);
  expect(shape).toEqual({
    kind: "batch",
    offsetsBytes: Float64Array.of(40, 0, 96, 56),
    lengthsBytes: Float64Array.of(16, 8, 16, 8),
  });
  expect(shapeOf(vector(4, 1, -2, DOUBLE))).toMatchObject({ kind: "batch" });
  expect(shapeOf(vector(4, 1, 2, DOUBLE), 1, 15)).toMatchObject({ kind: "batch" });
});

test("past as many copies as anyone would wait for there is none, and it says so", () => {
  expect(shapeOf(vector(20_000, 1, -2, DOUBLE))).toEqual({
    kind: "none",
    reason: "neither rows nor planes of rows, and 20000 blocks: more than 16384 copies",
  });
});
