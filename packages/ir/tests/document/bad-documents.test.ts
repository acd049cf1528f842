import { expect, test } from "vitest";
import { DatatypeError, parseDatatype, parseDatatypeText } from "../../src/index.js";

/** The message of the error that a document gets; every one is a DatatypeError of one line. */
function complaint(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(DatatypeError);
    const { message } = error as DatatypeError;
    expect(message).not.toContain("\n");
    return message;
  }
  throw new Error("the document was accepted");
}

const INT = "MPI_INT";
const safe = "2^53 - 1";
const box = { kind: "subarray", sizes: [4, 4], subsizes: [2, 2], starts: [1, 1], order: "C", child: INT };
const share = {
  kind: "darray",
  size: 4,
  rank: 1,
  gsizes: [8, 8],
  distribs: ["block", "cyclic"],
  dargs: [null, 2],
  psizes: [2, 2],
  order: "C",
  child: INT,
};
const inside = (bad: unknown): unknown => ({
  kind: "struct",
  blocklengths: [1, 1, 1],
  displacements: [0, 8, 16],
  children: [INT, INT, { kind: "dup", child: bad }],
});

const cases: readonly [what: string, document: unknown, message: string][] = [
  [
    "no datatype at all",
    7,
    'type: datatype: expected an MPI name such as "MPI_DOUBLE" or an object with a kind, got 7',
  ],
  ["null", null, 'type: datatype: expected an MPI name such as "MPI_DOUBLE" or an object with a kind, got null'],
  [
    "a list",
    [INT],
    'type: datatype: expected an MPI name such as "MPI_DOUBLE" or an object with a kind, got a list of 1',
  ],
  [
    "a misspelt name",
    "MPI_DOUBEL",
    'type: predefined datatype: expected the MPI name of a C type (did you mean MPI_DOUBLE?), got "MPI_DOUBEL"',
  ],
  [
    "a name like no other",
    "x".repeat(1000),
    `type: predefined datatype: expected the MPI name of a C type such as MPI_DOUBLE, got "${"x".repeat(55)}..."`,
  ],
  [
    "a misspelt kind",
    { kind: "contigous", count: 1, child: INT },
    'type.kind: kind of datatype: expected a known kind (did you mean "contiguous"?), got "contigous"',
  ],
  [
    "no kind",
    { count: 1 },
    "type.kind: kind of datatype: expected one of contiguous, vector, hvector, indexed, hindexed, indexed_block, " +
      "hindexed_block, struct, subarray, darray, resized, dup, got undefined",
  ],
  [
    "a kind that every object inherits",
    { kind: "toString" },
    "type.kind: kind of datatype: expected one of contiguous, vector, hvector, indexed, hindexed, indexed_block, " +
      'hindexed_block, struct, subarray, darray, resized, dup, got "toString"',
  ],
  [
    "a missing field",
    { kind: "contiguous", child: INT },
    "type.count: field of contiguous: expected a value, got no such field",
  ],
  [
    "a misspelt field",
    { kind: "contiguous", cuont: 1, child: INT },
    'type.count: field of contiguous: expected a value, got no such field, but "cuont"',
  ],
  [
    "an extra field",
    { kind: "dup", child: INT, count: 1 },
    'type: fields of dup: expected only kind, child, got "count" too',
  ],
  [
    "a count of text, three levels in",
    inside({ kind: "contiguous", count: "3", child: INT }),
    'type.children[2].child.count: count: expected an integer, got "3"',
  ],
  [
    "a negative count",
    inside({ kind: "contiguous", count: -1, child: INT }),
    `type.children[2].child.count: count of contiguous: expected an integer from 0 to ${safe}, got -1`,
  ],
  [
    "a fraction",
    { kind: "vector", count: 1, blocklength: 1, stride: 1.5, child: INT },
    `type.stride: stride of vector: expected an integer within ±(${safe}), got 1.5`,
  ],
  [
    "a count beyond the safe integers",
    { kind: "contiguous", count: 2 ** 53, child: INT },
    `type.count: count of contiguous: expected an integer from 0 to ${safe}, got 9007199254740992`,
  ],
  [
    "a size beyond the safe integers",
    inside({ kind: "contiguous", count: 2 ** 50, child: "MPI_DOUBLE" }),
    `type.children[2].child: size in bytes: expected an integer within ±(${safe}), got 9007199254740992`,
  ],
  [
    "lists of different lengths",
    { kind: "indexed", blocklengths: [1, 2], displacements: [0], child: INT },
    "type.displacements: length of displacements: expected 2 entries, one a blocklength, got 1",
  ],
  [
    "fewer children than blocklengths",
    { kind: "struct", blocklengths: [1, 2], displacements: [0, 4], children: [INT] },
    "type.children: length of children: expected 2 datatypes, one a blocklength, got 1",
  ],
  [
    "no list",
    { kind: "indexed_block", blocklength: 1, displacements: 3, child: INT },
    "type.displacements: displacements: expected a list, got 3",
  ],
  [
    "a bad entry of a list",
    { kind: "hindexed", blocklengths: [1, 1], displacements: [0, "8"], child: INT },
    `type.displacements[1]: displacement of hindexed in bytes: expected an integer within ±(${safe}), got "8"`,
  ],
  [
    "a negative blocklength",
    { kind: "indexed", blocklengths: [1, -2], displacements: [0, 1], child: INT },
    `type.blocklengths[1]: blocklength of indexed: expected an integer from 0 to ${safe}, got -2`,
  ],
  [
    "a subarray larger than its array",
    { ...box, subsizes: [2, 5] },
    "type.subsizes[1]: size of subarray: expected at most 4, got 5",
  ],
  [
    "a subarray that ends outside",
    { ...box, starts: [1, 3] },
    "type.starts[1]: start of subarray: expected at most 4 - 2 = 2, got 3",
  ],
  [
    "an empty subarray",
    { ...box, subsizes: [0, 2] },
    `type.subsizes[0]: size of subarray: expected an integer from 1 to ${safe}, got 0`,
  ],
  [
    "an array of no dimension",
    { ...box, sizes: [], subsizes: [], starts: [] },
    "type.sizes: dimensions of array: expected 1 or more, got 0",
  ],
  ["an unknown order", { ...box, order: "R" }, 'type.order: order of array: expected "C" or "F", got "R"'],
  [
    "subsizes of another length",
    { ...box, subsizes: [2] },
    "type.subsizes: length of subsizes: expected 2 entries, one a dimension, got 1",
  ],
  ["a rank outside the grid", { ...share, rank: 4 }, "type.rank: rank of darray: expected less than size, 4, got 4"],
  [
    "a grid that is not the size",
    { ...share, psizes: [2, 1] },
    "type.psizes: process grid: expected a product equal to size, 4, got 2",
  ],
  [
    "an unknown distribution",
    { ...share, distribs: ["block", "random"] },
    'type.distribs[1]: distribution: expected "block", "cyclic" or "none", got "random"',
  ],
  [
    "blocks too small for the array",
    { ...share, dargs: [3, 2] },
    "type.dargs[0]: distribution argument: expected at least 4, so that 2 blocks hold 8 elements, got 3",
  ],
  [
    "processes along an undistributed dimension",
    { ...share, distribs: ["none", "cyclic"] },
    "type.psizes[0]: processes along a dimension: expected 1 where the dimension is not distributed, got 2",
  ],
  [
    "a zero distribution argument",
    { ...share, dargs: [null, 0] },
    `type.dargs[1]: distribution argument: expected an integer from 1 to ${safe}, got 0`,
  ],
];

test.each(cases)("%s: the error says where, what, expected and got", (_, document, message) => {
  expect(complaint(() => parseDatatype(document))).toBe(message);
});

test("an object that contains itself is refused where it closes the circle", () => {
  const outer: Record<string, unknown> = { kind: "dup" };
  outer["child"] = { kind: "contiguous", count: 2, child: outer };
  expect(complaint(() => parseDatatype(outer))).toBe(
    "type.child.child: datatype: expected a document that ends, got an object that contains itself",
  );
});

test("an object that occurs twice side by side is no circle", () => {
  const twice = { kind: "contiguous", count: 2, child: INT };
  const document = { kind: "struct", blocklengths: [1, 1], displacements: [0, 8], children: [twice, twice] };
  expect(parseDatatype(document).kind).toBe("struct");
});

test("a fault 10,000 levels down is one readable line", () => {
  let document: unknown = { kind: "contiguous", count: -1, child: INT };
  for (let i = 0; i < 10_000; i++) document = { kind: "dup", child: document };
  const message = complaint(() => parseDatatype(document));
  expect(message).toMatch(/^type(\.child){11}\.\.\.\(9977 more\)\.\.\.(\.child){12}\.count: count of contiguous: /);
});

test("a text that is not JSON is refused with the parser's reason", () => {
  expect(complaint(() => parseDatatypeText('{"kind":'))).toMatch(/^type: document: expected JSON, got /);
  expect(complaint(() => parseDatatypeText("[\n\n\n"))).toMatch(/^type: document: expected JSON, got /);
  expect(complaint(() => parseDatatypeText(""))).toMatch(/^type: document: expected JSON, got /);
});
