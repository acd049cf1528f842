import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contents,
  contiguous,
  darray,
  DatatypeError,
  dup,
  envelope,
  fromContents,
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
  vector,
  type ArrayConstants,
  type Datatype,
} from "../../src/index.js";
import { anyDatatype } from "../datatype/any-datatype.js";

const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const constants: ArrayConstants = {
  orders: { C: 56, F: 57 },
  distributions: { block: 121, cyclic: 122, none: 123 },
  defaultDarg: -49767,
};
const box = subarray({ sizes: [4, 5], subsizes: [2, 3], starts: [1, 0], order: "F", child: INT });
const share = darray({
  size: 2,
  rank: 1,
  gsizes: [6, 7],
  distribs: ["cyclic", "none"],
  dargs: [2, null],
  psizes: [2, 1],
  order: "C",
  child: INT,
});

// The rows of MPI 4.1, section 5.1.13: combiner, integers, addresses, datatypes.
const rows: readonly [Datatype, string, number[], number[], Datatype[]][] = [
  [contiguous(3, INT), "CONTIGUOUS", [3], [], [INT]],
  [vector(3, 2, -5, INT), "VECTOR", [3, 2, -5], [], [INT]],
  [hvector(3, 2, 2 ** 40, INT), "HVECTOR", [3, 2], [2 ** 40], [INT]],
  [indexed([2, 1], [0, 7], INT), "INDEXED", [2, 2, 1, 0, 7], [], [INT]],
  [hindexed([2, 1], [0, 7], INT), "HINDEXED", [2, 2, 1], [0, 7], [INT]],
  [indexedBlock(2, [0, 7, 9], INT), "INDEXED_BLOCK", [3, 2, 0, 7, 9], [], [INT]],
  [hindexedBlock(2, [0, 7, 9], INT), "HINDEXED_BLOCK", [3, 2], [0, 7, 9], [INT]],
  [struct([1, 2], [0, 8], [DOUBLE, INT]), "STRUCT", [2, 1, 2], [0, 8], [DOUBLE, INT]],
  [box, "SUBARRAY", [2, 4, 5, 2, 3, 1, 0, 57], [], [INT]],
  [share, "DARRAY", [2, 1, 2, 6, 7, 122, 123, 2, -49767, 2, 1, 56], [], [INT]],
  [resized(-4, 32, INT), "RESIZED", [], [-4, 32], [INT]],
  [dup(INT), "DUP", [], [], [INT]],
];

test.each(rows)("contents are the standard's: %#", (type, combiner, integers, addresses, datatypes) => {
  const given = contents(type, constants);
  expect(given.combiner).toBe(`MPI_COMBINER_${combiner}`);
  expect([...given.integers]).toEqual(integers);
  expect([...given.addresses]).toEqual(addresses);
  expect(given.datatypes).toEqual(datatypes);
  expect(envelope(type)).toEqual({
    combiner: given.combiner,
    integers: integers.length,
    addresses: addresses.length,
    datatypes: datatypes.length,
  });
});

test("a datatype rebuilt from its contents has the same document", () => {
  const derived = anyDatatype().filter((type) => type.kind !== "predefined");
  fc.assert(
    fc.property(derived, (type) => {
      expect(printDatatype(fromContents(contents(type)))).toEqual(printDatatype(type));
      expect(printDatatype(fromContents(contents(type, constants), constants))).toEqual(printDatatype(type));
    }),
    { numRuns: 1_000 },
  );
});

test("a predefined datatype has an envelope and no contents", () => {
  expect(envelope(INT)).toEqual({ combiner: "MPI_COMBINER_NAMED", integers: 0, addresses: 0, datatypes: 0 });
  expect(() => contents(INT)).toThrow("contents: expected a datatype that a constructor made, got MPI_INT");
});

const bad: readonly [Parameters<typeof fromContents>[0], string][] = [
  [
    { combiner: "MPI_COMBINER_NAMED", integers: [], addresses: [], datatypes: [] },
    "combiner: expected a constructor's, got MPI_COMBINER_NAMED",
  ],
  [
    { combiner: "MPI_COMBINER_VECTOR", integers: [3, 2], addresses: [], datatypes: [INT] },
    "integers: integers of contents: expected at least 3 entries, got 2",
  ],
  [
    { combiner: "MPI_COMBINER_CONTIGUOUS", integers: [3, 2], addresses: [], datatypes: [INT] },
    "integers: integers of contents: expected 1 entries, got 2",
  ],
  [
    { combiner: "MPI_COMBINER_DUP", integers: [], addresses: [], datatypes: [INT, INT] },
    "datatypes: datatypes of MPI_COMBINER_DUP: expected 1, got 2",
  ],
  [
    { combiner: "MPI_COMBINER_HINDEXED", integers: [2, 1, 1], addresses: [0], datatypes: [INT] },
    "addresses: addresses of contents: expected at least 2 entries, got 1",
  ],
  [
    { combiner: "MPI_COMBINER_SUBARRAY", integers: [1, 4, 2, 1, 9], addresses: [], datatypes: [INT] },
    "integers: constant of order: expected one of 0, 1, got 9",
  ],
  [
    { combiner: "MPI_COMBINER_INDEXED", integers: [-1], addresses: [], datatypes: [INT] },
    "integers[0]: count in contents: expected an integer from 0 to 2^53 - 1, got -1",
  ],
];

test.each(bad)("contents that fit no constructor are refused: %#", (given, message) => {
  expect(() => fromContents(given)).toThrow(DatatypeError);
  expect(() => fromContents(given)).toThrow(message);
});
