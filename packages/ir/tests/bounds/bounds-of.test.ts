import { expect, test } from "vitest";
import {
  boundsOf,
  contiguous,
  darray,
  dup,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  predefined,
  resized,
  struct,
  subarray,
  vector,
  type BoundsRule,
  type Datatype,
} from "../../src/index.js";

const CHAR = predefined("MPI_CHAR");
const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const bounds = (type: Datatype, rule: BoundsRule = "standard"): readonly [lb: number, extent: number] => {
  const { lowerBoundBytes, extentBytes } = boundsOf(type, { bounds: rule });
  return [lowerBoundBytes, extentBytes];
};
const byEachRule = (type: Datatype): object => ({
  standard: bounds(type),
  "open-mpi": bounds(type, "open-mpi"),
  mpich: bounds(type, "mpich"),
});

const EMPTY = contiguous(0, INT);
/** What a process holds of an array that is dealt out to others. */
const EMPTY_DARRAY = darray({
  size: 4,
  rank: 3,
  gsizes: [3],
  distribs: ["block"],
  dargs: [null],
  psizes: [4],
  order: "C",
  child: INT,
});

test("a struct is padded to its strictest alignment: MPI 4.1, example 5.1", () => {
  const type = struct([1, 1], [0, 8], [DOUBLE, CHAR]);
  expect(boundsOf(type)).toMatchObject({ sizeBytes: 9, extentBytes: 16, trueExtentBytes: 9, alignmentBytes: 8 });
});

test("other constructors are padded by Open MPI only", () => {
  const type = hvector(2, 1, 5, INT);
  expect(byEachRule(type)).toEqual({ standard: [0, 9], "open-mpi": [0, 12], mpich: [0, 9] });
});

test("Open MPI pads after each block of a list, so that an inner block may move the upper bound", () => {
  const type = hindexedBlock(1, [0, 1, -3], INT);
  expect(byEachRule(type)).toEqual({ standard: [-3, 8], "open-mpi": [-3, 12], mpich: [-3, 8] });
});

test("MPICH pads no struct whose members are all one type", () => {
  const type = struct([1, 1], [0, 5], [INT, dup(INT)]);
  expect(byEachRule(type)).toEqual({ standard: [0, 12], "open-mpi": [0, 12], mpich: [0, 9] });
  expect(bounds(struct([1, 1], [0, 5], [INT, predefined("MPI_UINT32_T")]), "mpich")).toEqual([0, 9]);
  expect(bounds(struct([1, 1], [0, 5], [INT, predefined("MPI_FLOAT")]), "mpich")).toEqual([0, 12]);
  const [one, other] = [contiguous(2, INT), contiguous(2, INT)];
  expect(bounds(struct([1, 1], [0, 9], [one, resized(0, 8, contiguous(1, one))]), "mpich")).toEqual([0, 17]);
  expect(bounds(struct([1, 1], [0, 9], [one, other]), "mpich")).toEqual([0, 20]);
});

test("explicit bounds are sticky: where any member has them, only they count", () => {
  const bounded = resized(-3, 9, INT);
  expect(bounds(contiguous(2, bounded))).toEqual([-3, 18]);
  expect(bounds(struct([1, 1], [0, 100], [bounded, DOUBLE]))).toEqual([-3, 9]);
  expect(bounds(struct([1, 1], [-100, 6], [DOUBLE, dup(contiguous(1, bounded))]))).toEqual([3, 9]);
  expect(bounds(struct([1, 1], [0, 100], [bounded, DOUBLE]), "mpich")).toEqual([-3, 112]);
});

test("members of blocklength 0 contribute no bounds, explicit ones neither", () => {
  expect(bounds(struct([1, 0], [4, 900], [INT, resized(0, 64, INT)]))).toEqual([4, 4]);
  expect(bounds(indexed([0, 1, 0], [-50, 2, 50], INT))).toEqual([8, 4]);
});

test("a type without entries contributes nothing by the standard; Open MPI and MPICH let a member count where it stands", () => {
  expect(boundsOf(EMPTY)).toMatchObject({ sizeBytes: 0, lowerBoundBytes: 0, extentBytes: 0, alignmentBytes: 1 });
  const cases: readonly (readonly [Datatype, standard: number[], openMpi: number[], mpich: number[]])[] = [
    [struct([1, 1], [0, 64], [INT, EMPTY]), [0, 4], [0, 64], [0, 64]],
    [struct([3, 1], [0, 8], [EMPTY, INT]), [8, 4], [0, 12], [0, 12]],
    [struct([1, 1], [0, 61], [INT, EMPTY]), [0, 4], [0, 64], [0, 64]],
    [struct([2, 1], [8, 64], [EMPTY, EMPTY]), [0, 0], [8, 56], [0, 0]],
    [struct([1, 1], [0, 900], [resized(0, 8, INT), EMPTY]), [0, 8], [0, 8], [0, 900]],
    [struct([1, 1], [100, 200], [EMPTY, resized(-13, 1, CHAR)]), [187, 1], [187, 1], [100, 88]],
    [
      struct([1, 1], [100, 200], [hindexedBlock(1, [40, 90], EMPTY), CHAR]),
      [200, 1],
      [140, 61],
      [100, 101], // by MPICH copies of an empty type stand where the copies' type does
    ],
    [vector(3, 1, 5, EMPTY), [0, 0], [0, 0], [0, 0]],
    [hvector(3, 1, 70, EMPTY), [0, 0], [0, 140], [0, 0]],
  ];
  for (const [type, standard, openMpi, mpich] of cases)
    expect(byEachRule(type)).toEqual({ standard, "open-mpi": openMpi, mpich });
  const beside = boundsOf(struct([1, 1], [4, 64], [INT, EMPTY]), { bounds: "mpich" });
  expect(beside).toMatchObject({ trueLowerBoundBytes: 4, trueExtentBytes: 4 });
});

test("copies of markers that a user set are copied and displaced as data are; MPICH drops them, Open MPI some", () => {
  const cases: readonly (readonly [Datatype, standard: number[], openMpi: number[], mpich: number[]])[] = [
    [EMPTY_DARRAY, [0, 12], [0, 12], [0, 12]],
    [contiguous(2, EMPTY_DARRAY), [0, 24], [0, 0], [0, 0]],
    [indexed([1, 2], [4, 9], EMPTY_DARRAY), [48, 84], [0, 0], [0, 0]],
    [indexedBlock(1, [4, 9], EMPTY_DARRAY), [48, 72], [48, 72], [0, 0]],
    [vector(3, 1, 5, EMPTY_DARRAY), [0, 132], [0, 132], [0, 0]],
    [hvector(3, 1, 70, EMPTY_DARRAY), [0, 152], [0, 152], [0, 0]],
    [struct([1, 1], [100, 200], [indexedBlock(1, [4, 9], EMPTY_DARRAY), CHAR]), [148, 72], [148, 72], [100, 101]],
    [contiguous(3, resized(-8, 40, EMPTY)), [-8, 120], [0, 0], [0, 0]],
    [hvector(2, 0, 40, INT), [0, 0], [0, 0], [0, 40]],
    [hvector(2, 0, 40, resized(8, -16, INT)), [0, 0], [0, 0], [24, 8]],
  ];
  for (const [type, standard, openMpi, mpich] of cases)
    expect(byEachRule(type)).toEqual({ standard, "open-mpi": openMpi, mpich });
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
  expect(boundsOf(EMPTY_DARRAY)).toMatchObject({
    sizeBytes: 0,
    lowerBoundBytes: 0,
    extentBytes: 12,
    trueExtentBytes: 0,
  });
  expect(bounds(struct([1, 1], [0, 200], [box, DOUBLE]))).toEqual([0, 96]);
});

test("counts, strides and sizes run past 2^32", () => {
  const type = vector(2 ** 20, 2 ** 10, 2 ** 20, DOUBLE);
  expect(boundsOf(type)).toMatchObject({ sizeBytes: 2 ** 33, extentBytes: 2 ** 43 - 2 ** 23 + 2 ** 13 });
});

test("10,000 levels of nesting and 30 levels of sharing take linear time and no native stack", () => {
  let deep: Datatype = INT;
  for (let i = 0; i < 10_000; i++) deep = dup(deep);
  for (const rule of ["standard", "open-mpi", "mpich"] as const) expect(bounds(deep, rule)).toEqual([0, 4]);
  let shared: Datatype = INT;
  for (let i = 0; i < 30; i++) shared = struct([1, 1], [0, 4 * 2 ** i], [shared, shared]);
  for (const rule of ["standard", "open-mpi", "mpich"] as const) expect(bounds(shared, rule)).toEqual([0, 2 ** 32]);
});
