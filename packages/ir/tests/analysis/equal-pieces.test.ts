import fc from "fast-check";
import { expect, test } from "vitest";
import { blocks, dense, equalPieces, integerTable, isRuns, longestPieceBytes, piecesOf } from "../../src/index.js";
import { layout, runs, uniformBlocks, type LayoutNode, type RunBlocks } from "../../src/index.js";

const table = (values: readonly number[]) => integerTable(values.length, (i) => values[i] as number);

function runBlocks(entries: readonly (readonly [place: number, length: number])[], childBytes: number): RunBlocks {
  const node = blocks(
    table(entries.map(([at]) => at)),
    table(entries.map(([, length]) => length)),
    childBytes,
    dense(childBytes),
  );
  if (!isRuns(node)) throw new Error("expected runs");
  return node;
}

const joinedRuns = (node: LayoutNode): number[][] => {
  const joined: number[][] = [];
  const range = { count: 1, first: 0, length: node.sizeBytes };
  for (const { offsetBytes, lengthBytes } of runs(layout(0, node, { lowerBoundBytes: 0, extentBytes: 0 }), range)) {
    const last = joined.at(-1);
    if (last !== undefined && (last[0] as number) + (last[1] as number) === offsetBytes)
      last[1] = (last[1] as number) + lengthBytes;
    else joined.push([offsetBytes, lengthBytes]);
  }
  return joined;
};

const anyRuns = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), fc.integer({ min: 0, max: 12 })), {
      maxLength: 8,
    }),
    fc.integer({ min: 1, max: 6 }),
  )
  .map(([entries, childBytes]) => runBlocks(entries, childBytes));

test("equal pieces are the runs' bytes in their order, each piece as long as can be", () => {
  fc.assert(
    fc.property(anyRuns, (node) => {
      const pieces = equalPieces(node, Infinity);
      expect(pieces === undefined).toBe(node.sizeBytes === 0);
      if (pieces === undefined) return;
      const { pieceBytes, displacementsBytes } = pieces;
      expect(joinedRuns(uniformBlocks(displacementsBytes, dense(pieceBytes)))).toEqual(joinedRuns(node));
      for (let longer = pieceBytes + 1; longer <= 72; longer++) {
        expect(piecesOf(node, longer)).toBeUndefined();
      }
    }),
  );
});

test("more pieces a run than are allowed are none", () => {
  const node = runBlocks(
    [
      [0, 4],
      [64, 4],
      [128, 8],
    ],
    1,
  );
  expect(longestPieceBytes(node)).toBe(4);
  expect(equalPieces(node, 1.5)?.displacementsBytes).toEqual(Int32Array.of(0, 64, 128, 132));
  expect(equalPieces(node, 1.25)).toBeUndefined();
});

test("blocks are runs where each has one dense child, or dense children that touch", () => {
  const two = table([1, 2]);
  expect(isRuns(uniformBlocks(two, dense(8)))).toBe(true);
  expect(isRuns(blocks(two, two, 8, dense(8)))).toBe(true);
  expect(isRuns(blocks(two, two, 16, dense(8)))).toBe(false);
  expect(isRuns(uniformBlocks(two, uniformBlocks(two, dense(8))))).toBe(false);
});
