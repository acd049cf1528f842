import { expect, test } from "vitest";
import {
  contiguous,
  darray,
  DatatypeError,
  dup,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  predefined,
  printDatatype,
  resized,
  struct,
  subarray,
  typeVector,
  vector,
  type ChildDatatype,
  type Datatype,
  type IntegerList,
} from "../../src/index.js";

const INT = predefined("MPI_INT");

test("typed arrays are copied, so that a caller's later writes change nothing", () => {
  const displacements = Int32Array.of(0, 5, 9);
  const type = indexedBlock(1, displacements, INT);
  displacements[1] = 77;
  expect([...type.displacements]).toEqual([0, 5, 9]);
});

test("integers are held in four bytes where all fit, whatever the list came as", () => {
  const lists: readonly IntegerList[] = [[0, 5], Int32Array.of(0, 5), Float64Array.of(0, 5)];
  for (const list of lists) expect(hindexedBlock(1, list, INT).displacementsBytes).toEqual(Int32Array.of(0, 5));
  expect(hindexedBlock(1, [0, 2 ** 40], INT).displacementsBytes).toEqual(Float64Array.of(0, 2 ** 40));
});

test("nodes and their lists of datatypes are frozen", () => {
  const types: readonly Datatype[] = [
    contiguous(2, INT),
    vector(2, 1, 3, INT),
    struct([1], [0], [INT]),
    resized(0, 8, INT),
    dup(INT),
  ];
  for (const type of types) expect(Object.isFrozen(type)).toBe(true);
  expect(Object.isFrozen(struct([1], [0], [INT]).children)).toBe(true);
});

test.each([-1, 1.5, NaN, Infinity, 2 ** 53])("a count of %d is refused", (count) => {
  const builders: readonly (() => Datatype)[] = [
    () => contiguous(count, INT),
    () => vector(count, 1, 1, INT),
    () => hvector(1, count, 1, INT),
    () => indexed([count], [0], INT),
    () => indexed(Float64Array.of(count), [0], INT),
    () => hindexed([count], [0], INT),
    () => indexedBlock(count, [0], INT),
    () => struct([count], [0], [INT]),
  ];
  for (const build of builders) expect(build).toThrow(DatatypeError);
});

test("a negative blocklength in an Int32Array is refused with its place", () => {
  expect(() => indexed(Int32Array.of(1, -1), Int32Array.of(0, 1), INT)).toThrow(
    "blocklengths[1]: blocklength of indexed: expected an integer from 0 to 2^53 - 1, got -1",
  );
});

test("lists of different lengths are refused", () => {
  expect(() => hindexed([1, 1], [0], INT)).toThrow("expected 2 entries, one a blocklength, got 1");
  expect(() => struct([1], [0], [INT, INT])).toThrow("expected 1 datatypes, one a blocklength, got 2");
});

test("a child that no builder made is refused, also by callers without types", () => {
  const notTyped = dup as (child: unknown) => Datatype;
  for (const child of [undefined, null, "MPI_IMT", 4, {}]) expect(() => notTyped(child)).toThrow(DatatypeError);
});

test("a child may be a predefined datatype's name, as in documents", () => {
  const subarrayOf = (child: ChildDatatype) => subarray({ sizes: [4], subsizes: [2], starts: [1], order: "C", child });
  const grid = { size: 2, rank: 1, gsizes: [4], distribs: ["block"], dargs: [null], psizes: [2], order: "C" } as const;
  const builders: readonly ((child: ChildDatatype) => Datatype)[] = [
    (child) => contiguous(2, child),
    (child) => vector(2, 1, 2, child),
    (child) => hvector(2, 1, 8, child),
    (child) => indexed([1], [2], child),
    (child) => hindexed([1], [2], child),
    (child) => indexedBlock(1, [2], child),
    (child) => hindexedBlock(1, [2], child),
    (child) => struct([1, 1], [0, 8], [child, INT]),
    (child) => resized(0, 8, child),
    (child) => darray({ ...grid, child }),
    dup,
    subarrayOf,
    (child) => typeVector(2, 1, 2, child),
  ];
  for (const build of builders) expect(printDatatype(build("MPI_INT"))).toEqual(printDatatype(build(INT)));
  expect(() => struct([1], [0], ["MPI_DUOBLE" as "MPI_DOUBLE"])).toThrow(
    'children[0]: predefined datatype: expected the MPI name of a C type (did you mean MPI_DOUBLE?), got "MPI_DUOBLE"',
  );
});

test("arguments in the other form are refused by a line that shows the right one", () => {
  const call =
    (builder: unknown, ...args: unknown[]) =>
    () =>
      (builder as (...given: unknown[]) => Datatype)(...args);
  expect(call(vector, { count: 2, blocklength: 1, stride: 2, child: "MPI_INT" })).toThrow(
    "arguments: expected vector(count, blocklength, stride, child), got an object",
  );
  for (const builder of [contiguous, hvector, indexed, hindexed, indexedBlock, hindexedBlock, struct, resized])
    expect(call(builder, { count: 2, child: "MPI_INT" })).toThrow(/^arguments: expected \w+\(.*\), got an object$/);
  expect(call(subarray, [4], [2], [1], "C", INT)).toThrow(
    "arguments: expected subarray({ sizes, subsizes, starts, order, child }), got a list of 1",
  );
  expect(call(darray, 2, 1)).toThrow(/^arguments: expected darray\(\{ size, .* child \}\), got 2$/);
});

test("sizes, bounds and displacements beyond the safe integers are refused when the type is made", () => {
  const huge = contiguous(2 ** 50, INT);
  expect(() => contiguous(2, huge)).toThrow(/size in bytes: expected an integer within ±\(2\^53 - 1\)/);
  expect(() => vector(2, 1, 2 ** 52, INT)).toThrow(DatatypeError);
  expect(() => hvector(3, 1, -(2 ** 52), INT)).toThrow(DatatypeError);
  expect(() => indexedBlock(1, [2 ** 52], INT)).toThrow(DatatypeError);
  expect(() => hindexed([1, 1], [-(2 ** 52), 2 ** 52], INT)).toThrow(DatatypeError);
  expect(() => struct([1, 1], [0, 0], [huge, huge])).toThrow(DatatypeError);
  expect(() => resized(2 ** 53, 0, INT)).toThrow(DatatypeError);
});

test("a zero count keeps any stride and displacement harmless", () => {
  expect(vector(1, 1, 2 ** 52, INT).stride).toBe(2 ** 52);
  expect(indexed([0, 1], [2 ** 52, 0], INT).blocklengths).toEqual(Int32Array.of(0, 1));
});
