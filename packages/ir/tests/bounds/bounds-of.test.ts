import { expect, test } from "vitest";
import {
  boundsOf,
  contiguous,
  darray,
  dup,
  hindexedBlock,
  hvector,
  indexed,
  predefined,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
  type Padding,
} from "../../src/index.js";

const CHAR = predefined("MPI_CHAR");
const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const bounds = (type: Datatype, padding: Padding = "struct"): readonly [lb: number, extent: number] => {
  const { lowerBoundBytes, extentBytes } = boundsOf(type, { padding });
  return [lowerBoundBytes, extentBytes];
};

test("a struct is padded to its strictest alignment: MPI 4.1, example 5.1", () => {
  const type = struct([1, 1], [0, 8], [DOUBLE, CHAR]);
  expect(boundsOf(type)).toMatchObject({ sizeBytes: 9, extentBytes: 16, trueExtentBytes: 9, alignmentBytes: 8 });
  expect(bounds(type, "none")).toEqual([0, 9]);
});

test("other constructors are padded by Open MPI only", () => {
  const type = hvector(2, 1, 5, INT);
  expect(bounds(type)).toEqual([0, 9]);
  expect(bounds(type, "none")).toEqual([0, 9]);
  expect(bounds(type, "open-mpi")).toEqual([0, 12]);
});

test("Open MPI pads after each block of a list, so that an inner block may move the upper bound", () => {
  const type = hindexedBlock(1, [0, 1, -3], INT);
  expect(bounds(type, "none")).toEqual([-3, 8]);
  expect(bounds(type, "open-mpi")).toEqual([-3, 12]);
});

test("explicit bounds are sticky: where any member has them, only they count", () => {
  const bounded = resized(-3, 9, INT);
  expect(bounds(contiguous(2, bounded))).toEqual([-3, 18]);
  expect(bounds(struct([1, 1], [0, 100], [bounded, DOUBLE]))).toEqual([-3, 9]);
  expect(bounds(struct([1, 1], [-100, 6], [DOUBLE, dup(contiguous(1, bounded))]))).toEqual([3, 9]);
});

test("members of blocklength 0 contribute no bounds, explicit ones neither", () => {
  expect(bounds(struct([1, 0], [4, 900], [INT, resized(0, 64, INT)]))).toEqual([4, 4]);
  expect(bounds(indexed([0, 1, 0], [-50, 2, 50], INT))).toEqual([8, 4]);
});

test("an empty member of a struct marks where it stands, beside members that are not empty", () => {
  const empty = contiguous(0, DOUBLE);
  expect(boundsOf(empty)).toMatchObject({ sizeBytes: 0, lowerBoundBytes: 0, extentBytes: 0, alignmentBytes: 1 });
  expect(bounds(struct([1, 1], [0, 64], [INT, empty]))).toEqual([0, 64]);
  expect(bounds(struct([3, 1], [0, 8], [empty, INT]))).toEqual([0, 12]);
  expect(bounds(struct([1, 1], [0, 61], [INT, empty]))).toEqual([0, 64]);
  expect(bounds(struct([1, 1], [0, 61], [INT, empty]), "none")).toEqual([0, 61]);
  expect(boundsOf(struct([1, 1], [4, 64], [INT, empty]))).toMatchObject({ trueLowerBoundBytes: 4, trueExtentBytes: 4 });
  expect(bounds(struct([2, 1], [8, 64], [empty, empty]))).toEqual([0, 0]);
  expect(bounds(struct([1, 1], [0, 900], [resized(0, 8, INT), empty]))).toEqual([0, 8]);
});

test("copies of an empty type are empty, whatever its bounds", () => {
  const marker = resized(-8, 40, contiguous(0, INT));
  for (const copies of [contiguous(3, marker), hvector(3, 1, 100, contiguous(0, INT)), indexed([2], [9], marker)]) {
    expect(bounds(copies)).toEqual([0, 0]);
    expect(bounds(struct([1, 1], [0, 4], [INT, copies]))).toEqual([0, 4]);
  }
});

test("explicit bounds of an empty member count", () => {
  const marker = resized(-8, 40, contiguous(0, INT));
  expect(boundsOf(struct([1, 1], [0, 4], [marker, INT]))).toMatchObject({
    lowerBoundBytes: -8,
    extentBytes: 40,
    trueLowerBoundBytes: 4,
    trueExtentBytes: 4,
  });
});

test("negative extents turn the order of copies round", () => {
  expect(boundsOf(contiguous(3, resized(0, -16, INT)))).toMatchObject({
    lowerBoundBytes: -32,
    extentBytes: 16,
    trueLowerBoundBytes: -32,
    trueExtentBytes: 36,
  });
});

test("subarray and darray have the whole array's bounds, sticky, wherever their data lie", () => {
  const box = subarray({ sizes: [4, 6], subsizes: [2, 2], starts: [1, 3], order: "C", child: INT });
  expect(boundsOf(box)).toMatchObject({
    sizeBytes: 16,
    lowerBoundBytes: 0,
    extentBytes: 96,
    trueLowerBoundBytes: 36,
    trueExtentBytes: 32,
    hasExplicitBounds: true,
  });
  const nothing = darray({
    size: 4,
    rank: 3,
    gsizes: [3],
    distribs: ["block"],
    dargs: [null],
    psizes: [4],
    order: "C",
    child: INT,
  });
  expect(boundsOf(nothing)).toMatchObject({ sizeBytes: 0, lowerBoundBytes: 0, extentBytes: 12, trueExtentBytes: 0 });
  expect(bounds(struct([1, 1], [0, 200], [box, DOUBLE]))).toEqual([0, 96]);
});

test("counts, strides and sizes run past 2^32", () => {
  const type = vector(2 ** 20, 2 ** 10, 2 ** 20, DOUBLE);
  expect(boundsOf(type)).toMatchObject({ sizeBytes: 2 ** 33, extentBytes: 2 ** 43 - 2 ** 23 + 2 ** 13 });
});

test("10,000 levels of nesting and 30 levels of sharing take linear time and no native stack", () => {
  let deep: Datatype = INT;
  for (let i = 0; i < 10_000; i++) deep = dup(deep);
  for (const padding of ["struct", "open-mpi", "none"] as const) expect(bounds(deep, padding)).toEqual([0, 4]);
  let shared: Datatype = INT;
  for (let i = 0; i < 30; i++) shared = struct([1, 1], [0, 4 * 2 ** i], [shared, shared]);
  for (const padding of ["struct", "open-mpi", "none"] as const) expect(bounds(shared, padding)).toEqual([0, 2 ** 32]);
});
