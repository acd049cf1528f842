import { expect, test } from "vitest";
import * as ir from "../../src/index.js";

const INT = ir.predefined("MPI_INT");
const DOUBLE = ir.predefined("MPI_DOUBLE");
const grid = { size: 2, rank: 1, gsizes: [8], distribs: ["block"], dargs: [null], psizes: [2], order: "C" } as const;

const PAIRS: readonly (readonly [ours: ir.Datatype, mpis: ir.Datatype])[] = [
  [ir.contiguous(3, INT), ir.typeContiguous(3, INT)],
  [ir.vector(3, 2, 5, INT), ir.typeVector(3, 2, 5, INT)],
  [ir.hvector(3, 2, 50, INT), ir.typeCreateHvector(3, 2, 50, INT)],
  [ir.indexed([1, 2], [0, 4], INT), ir.typeIndexed(2, [1, 2], [0, 4], INT)],
  [ir.hindexed([1, 2], [0, 4], INT), ir.typeCreateHindexed(2, [1, 2], [0, 4], INT)],
  [ir.indexedBlock(2, [0, 4], INT), ir.typeCreateIndexedBlock(2, 2, [0, 4], INT)],
  [ir.hindexedBlock(2, [0, 4], INT), ir.typeCreateHindexedBlock(2, 2, [0, 4], INT)],
  [ir.struct([1, 2], [0, 8], [INT, DOUBLE]), ir.typeCreateStruct(2, [1, 2], [0, 8], [INT, DOUBLE])],
  [
    ir.subarray({ sizes: [4, 5], subsizes: [2, 3], starts: [1, 2], order: "F", child: INT }),
    ir.typeCreateSubarray(2, [4, 5], [2, 3], [1, 2], "F", INT),
  ],
  [ir.darray({ ...grid, child: INT }), ir.typeCreateDarray(2, 1, 1, [8], ["block"], [null], [2], "C", INT)],
  [ir.resized(-4, 32, INT), ir.typeCreateResized(INT, -4, 32)],
  [ir.dup(INT), ir.typeDup(INT)],
];

test.each(PAIRS.map(([ours, mpis]) => [ours.kind, ours, mpis] as const))(
  "%s is the same by MPI's name",
  (_, ours, mpis) => {
    expect(ir.printDatatype(mpis)).toEqual(ir.printDatatype(ours));
  },
);

test("a count that is not the list's is refused", () => {
  expect(() => ir.typeIndexed(3, [1, 2], [0, 4], INT)).toThrow(
    /^blocklengths: length of blocklengths: expected 3 entries, the count given, got 2$/,
  );
});
