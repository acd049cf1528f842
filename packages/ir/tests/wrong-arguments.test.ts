import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as ir from "../src/index.js";

const INT = ir.predefined("MPI_INT");
const TABLE = Int32Array.of(0, 8);
const NODE = ir.stream(3, 16, ir.dense(8));
const RUNS = ir.blocks(TABLE, Int32Array.of(1, 2), 1, ir.dense(1));
const LAYOUT = ir.layout(0, NODE, { lowerBoundBytes: 0, extentBytes: 48 });
const RANGE = { count: 1, first: 0, length: 24 };
const BOX = { startBytes: 0, rowBytes: 8, dimensions: [{ count: 3, strideBytes: 16 }] };
const SIGNATURE = ir.signatureOf(INT);
const ARRAY = { sizes: [4], subsizes: [2], starts: [1], order: "C", child: INT };
const SHARE = {
  size: 1,
  rank: 0,
  gsizes: [4],
  distribs: ["block"],
  dargs: [null],
  psizes: [1],
  order: "C",
  child: INT,
};
const DETAILS = { subject: "count", expected: "an integer", got: "null" };

/** Arguments that each public function takes; what is exported and is no function stands in OTHERS. */
const TAKEN: Readonly<Record<string, readonly unknown[]>> = {
  ascendingOrder: [TABLE],
  blocks: [TABLE, 1, 8, NODE],
  blockStatistics: [NODE],
  boundsOf: [INT, {}],
  boxBytes: [BOX],
  boxesIn: [BOX, 0, 24, 0],
  boxOf: [LAYOUT],
  canonicalise: [LAYOUT, {}],
  childrenOf: [INT],
  childrenOfNode: [NODE],
  commonAlignment: [[8, 16], 16],
  contents: [ir.dup(INT), ir.ARRAY_CONSTANTS],
  contiguous: [3, INT],
  darray: [SHARE],
  decodeLayout: [ir.encodeLayout(LAYOUT)],
  decodeLayouts: [ir.encodeLayout(LAYOUT)],
  dense: [8],
  denseLayout: [8],
  displacementOrder: [RUNS],
  distinctNodes: [NODE],
  dup: [INT],
  encodeLayout: [LAYOUT],
  encodeLayouts: [[LAYOUT]],
  envelope: [INT],
  equalPieces: [RUNS, 2],
  forEachRun: [LAYOUT, RANGE, () => undefined],
  fromContents: [ir.contents(ir.dup(INT)), ir.ARRAY_CONSTANTS],
  greatestCommonDivisor: [8, 12],
  hexWord: [7],
  hindexed: [[1], [0], INT],
  hindexedBlock: [1, [0], INT],
  hvector: [1, 2, 3, INT],
  indexed: [[1], [0], INT],
  indexedBlock: [1, [0], INT],
  integerTable: [2, () => 1],
  iov: [LAYOUT, RANGE, 3],
  isDatatype: [INT],
  isDenseLayout: [LAYOUT],
  isPredefinedName: ["MPI_INT"],
  isRuns: [RUNS],
  layout: [0, NODE, { lowerBoundBytes: 0, extentBytes: 48 }],
  layoutAlignment: [LAYOUT, 16],
  layoutHash: [LAYOUT],
  layoutStatistics: [LAYOUT],
  locate: [LAYOUT, 3],
  longestPieceBytes: [RUNS],
  lower: [INT, {}],
  matchSignatures: [
    { signature: SIGNATURE, count: 1 },
    { signature: SIGNATURE, count: 1 },
  ],
  nodeAlignment: [NODE, 16],
  nodeStatistics: [NODE],
  parseDatatype: ["MPI_INT"],
  parseDatatypeText: ["MPI_INT"],
  piecesOf: [RUNS, 1],
  predefined: ["MPI_INT"],
  predefinedFacts: ["MPI_INT"],
  prefixHash: [{ signature: SIGNATURE, count: 1 }, 1],
  printDatatype: [INT],
  printDatatypeText: [INT],
  printLayout: [LAYOUT],
  printSignature: [SIGNATURE, 3],
  isGone: [new Uint8Array(1)],
  quoted: [3],
  repeat: [LAYOUT, 3],
  repeatedBox: [BOX, 3, 48],
  requireLayout: [LAYOUT],
  resized: [0, 8, INT],
  runs: [LAYOUT, RANGE],
  runsApart: [LAYOUT, 3],
  runUnitBytes: [LAYOUT],
  sameLayout: [LAYOUT, LAYOUT],
  sameSignature: [SIGNATURE, SIGNATURE],
  sequence: [[{ offsetBytes: 0, node: NODE }]],
  signatureOf: [INT],
  stream: [3, 16, NODE],
  stridedBlock: [LAYOUT],
  struct: [[1], [0], [INT]],
  subarray: [ARRAY],
  typeContiguous: [3, INT],
  typeCreateDarray: [1, 0, 1, [4], ["block"], [null], [1], "C", INT],
  typeCreateHindexed: [1, [1], [0], INT],
  typeCreateHindexedBlock: [1, 2, [0], INT],
  typeCreateHvector: [1, 2, 3, INT],
  typeCreateIndexedBlock: [1, 2, [0], INT],
  typeCreateResized: [INT, 0, 8],
  typeCreateStruct: [1, [1], [0], [INT]],
  typeCreateSubarray: [1, [4], [2], [1], "C", INT],
  typeDup: [INT],
  typeIndexed: [1, [1], [0], INT],
  typeVector: [1, 2, 3, INT],
  uniformBlocks: [TABLE, NODE],
  vector: [1, 2, 3, INT],
  verifyLayout: [LAYOUT, LAYOUT],
  withChildren: [ir.dup(INT), [INT]],
};

/** Errors and checks, whose arguments are ours, walks that are told when to stop, and what runs a caller's own pass. */
const OTHERS = [
  "applyPass",
  "StowageError",
  "ArgumentError",
  "DatatypeError",
  "visitPostOrder",
  "requireArray",
  "requireObject",
  "requireOptions",
  "requireRecord",
  "ARRAY_CONSTANTS",
];

const cyclic: Record<string, unknown> = { kind: "dup" };
cyclic["child"] = cyclic;
cyclic["root"] = cyclic;

const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, "", "three", "MPI_INTEGER", NaN, Infinity, -1, 0.5, 2 ** 60, 1n, 0n),
  fc.constantFrom<unknown>({}, [], cyclic, () => 1, Symbol.iterator, new Date(0), new Uint8Array(2), new Map()),
  // Holes, and entries of the wrong type.
  fc.constantFrom<unknown>(new Array(2), [1n], [null], [undefined], [INT, null], [{}], Float64Array.of(NaN, 0.5)),
  fc.constantFrom<unknown>({ kind: "dense" }, { kind: "stream", sizeBytes: 3 }, { root: null }, { memo: 1 }),
);

/** The arguments with one of them wrong, or with one field of one of them. */
function spoiled(args: readonly unknown[], index: number, field: number, value: unknown): readonly unknown[] {
  const at = index % args.length;
  const arg = args[at];
  const keys = typeof arg === "object" && arg !== null && Object.isExtensible(arg) ? Object.keys(arg) : [];
  const key = keys[field % (keys.length + 1)];
  const isPlain = key !== undefined && Object.getPrototypeOf(arg) === Object.prototype;
  return args.with(at, isPlain ? { ...(arg as object), [key]: value } : value);
}

const call = (name: string, args: readonly unknown[]): unknown => {
  const result = (ir as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[name]?.(...args);
  return result instanceof Object && Symbol.iterator in result ? [...(result as Iterable<unknown>)] : result;
};

test("every public function is asked", () => {
  const functions = Object.entries(ir).filter(([, value]) => typeof value === "function");
  expect(
    functions
      .map(([name]) => name)
      .filter((name) => !OTHERS.includes(name))
      .sort(),
  ).toEqual(Object.keys(TAKEN).sort());
});

test.each(Object.entries(TAKEN))("%s refuses wrong arguments by a StowageError, or takes them", (name, args) => {
  expect(() => call(name, args)).not.toThrow();
  const property = fc.property(fc.nat(), fc.nat(), wrong, (index, field, value) => {
    try {
      call(name, spoiled(args, index, field, value));
    } catch (error) {
      expect(error).toBeInstanceOf(ir.StowageError);
      expect((error as Error).message).toMatch(/^[^\n]+: expected [^\n]+, got [^\n]+$/);
    }
  });
  fc.assert(property, { numRuns: 150, seed: Number(process.env["STOWAGE_SEED"] ?? 9) });
});

test("a bigint is called a bigint", () => {
  expect(() => ir.vector(1n as never, 1, 1, INT)).toThrow(/^count: count of vector: expected .*, got the bigint 1n$/);
});

test("an option that nobody knows is refused", () => {
  expect(() => ir.lower(INT, { boundz: "mpich" } as never)).toThrow(/expected no options but bounds, got "boundz"/);
});

test("the parts of an error are its own", () => {
  expect(new ir.DatatypeError(DETAILS)).toMatchObject(DETAILS);
});
