import { expect, test } from "vitest";
import {
  contiguous,
  darray,
  dup,
  EMPTY,
  hindexed,
  indexed,
  indexedBlock,
  hindexedBlock,
  lower,
  predefined,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
  type LayoutNode,
} from "../../src/index.js";

const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");

test("a vector is a stream of streams and carries no constructor's name", () => {
  expect(lower(vector(3, 2, 5, DOUBLE))).toMatchObject({
    startBytes: 0,
    root: {
      kind: "stream",
      count: 3,
      strideBytes: 40,
      child: { kind: "stream", count: 2, strideBytes: 8, child: { kind: "dense", lengthBytes: 8 } },
    },
  });
});

test("dup and resized leave the layout's nodes as they are and change its bounds only", () => {
  const type = vector(3, 1, 2, INT);
  expect(lower(dup(type)).root).toEqual(lower(type).root);
  const wider = lower(resized(-8, 100, type));
  expect(wider.root).toEqual(lower(type).root);
  expect(wider).toMatchObject({ startBytes: 0, lowerBoundBytes: -8, extentBytes: 100 });
});

test.each<[string, Datatype]>([
  ["a count of 0", contiguous(0, INT)],
  ["a blocklength of 0", vector(5, 0, 3, INT)],
  ["empty lists", hindexed([], [], INT)],
  ["blocklengths of 0 at far displacements", indexed([0, 0], [2 ** 40, -9], INT)],
  ["empty members", struct([0, 1], [8, 16], [DOUBLE, contiguous(0, INT)])],
  ["bounds without data", resized(4, 64, contiguous(0, INT))],
])("%s lowers to EMPTY", (_, type) => {
  expect(lower(type).root).toBe(EMPTY);
});

test("empty blocks and members are left out of a layout", () => {
  const list = lower(indexed([2, 0, 1], [0, 50, 9], INT)).root;
  expect(list).toMatchObject({
    kind: "blocks",
    displacementsBytes: Int32Array.of(0, 36),
    blocklengths: Int32Array.of(8, 4),
    strideBytes: 1,
  });
  const members = lower(struct([1, 0, 1], [0, 4, 8], [INT, INT, DOUBLE])).root;
  expect(members.kind === "sequence" && members.members).toHaveLength(2);
});

test("byte displacements share the datatype's table, so that an index costs 4 bytes in all", () => {
  const type = hindexedBlock(1, Int32Array.of(0, 64, 24), DOUBLE);
  const { root } = lower(type);
  expect(root.kind === "blocks" && root.displacementsBytes).toBe(type.displacementsBytes);
});

test("a list begins at its first block, and widens to doubles only where its bytes pass 2^31 from there", () => {
  const table = (type: Datatype): unknown => {
    const { startBytes, root } = lower(type);
    return root.kind === "blocks" ? [startBytes, root.displacementsBytes] : undefined;
  };
  expect(table(indexedBlock(1, [-1, 2 ** 28 - 2], DOUBLE))).toEqual([-8, Int32Array.of(0, 2 ** 31 - 8)]);
  expect(table(indexedBlock(1, [-1, 0, 2 ** 28 - 1], DOUBLE))).toEqual([-8, Float64Array.of(0, 8, 2 ** 31)]);
  expect(table(hindexedBlock(1, [2 ** 40, 2 ** 40 + 24], DOUBLE))).toEqual([2 ** 40, Int32Array.of(0, 24)]);
});

/** Elements of the first `length` positions of a one-dimensional share, as indices. */
function elements(node: LayoutNode, at: number): readonly number[] {
  switch (node.kind) {
    case "dense":
      return [at / 4];
    case "stream":
      return Array.from({ length: node.count }, (_, i) => elements(node.child, at + i * node.strideBytes)).flat();
    case "sequence":
      return node.members.flatMap((member) => elements(member.node, at + member.offsetBytes));
    case "blocks":
      throw new Error("a darray is made of streams");
  }
}

// HPF's distributions of 10 elements over 3 processes, as MPI 4.1, section 5.1.4, has them.
test.each([
  [
    "block",
    null,
    [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ],
  ],
  ["block", 5, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], []]],
  [
    "cyclic",
    null,
    [
      [0, 3, 6, 9],
      [1, 4, 7],
      [2, 5, 8],
    ],
  ],
  [
    "cyclic",
    2,
    [
      [0, 1, 6, 7],
      [2, 3, 8, 9],
      [4, 5],
    ],
  ],
  [
    "cyclic",
    4,
    [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ],
  ],
] as const)("a darray deals %s(%s) out as HPF does", (distribution, darg, shares) => {
  shares.forEach((share, rank) => {
    const grid = { size: 3, rank, gsizes: [10], distribs: [distribution], dargs: [darg], psizes: [3] };
    const { root, startBytes } = lower(darray({ ...grid, order: "C", child: INT }));
    expect(root === EMPTY ? [] : elements(root, startBytes)).toEqual(share);
  });
});

test("the process grid is row-major in both orders of the array", () => {
  const grid = {
    size: 4,
    rank: 1,
    gsizes: [4, 6],
    distribs: ["block", "block"],
    dargs: [null, null],
    psizes: [2, 2],
  } as const;
  expect(lower(darray({ ...grid, order: "C", child: INT })).startBytes).toBe(3 * 4);
  expect(lower(darray({ ...grid, order: "F", child: INT })).startBytes).toBe(3 * 4 * 4);
});

test("a 4D subarray of 2^40 bytes is four streams", () => {
  const type = subarray({
    sizes: [8192, 4096, 4096, 1024],
    subsizes: [4096, 2048, 2048, 8],
    starts: [1, 2, 3, 4],
    order: "C",
    child: DOUBLE,
  });
  const { sizeBytes, root } = lower(type);
  expect(sizeBytes).toBe(2 ** 40);
  expect(root.depth).toBe(5);
});

test("shared datatypes lower to shared nodes", () => {
  let shared: Datatype = vector(2, 1, 2, INT);
  for (let i = 0; i < 30; i++) shared = struct([1, 1], [0, 64 * 2 ** i], [shared, shared]);
  const { root, sizeBytes } = lower(shared);
  expect(sizeBytes).toBe(8 * 2 ** 30);
  expect(root.kind === "sequence" && root.members[0]?.node === root.members[1]?.node).toBe(true);
});

test("10,000 levels of nesting lower without native stack", () => {
  let deep: Datatype = INT;
  for (let i = 0; i < 10_000; i++) deep = struct([1, 1], [0, 4], [INT, contiguous(1, deep)]);
  expect(lower(deep).sizeBytes).toBe(40_004);
});
