import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blocks,
  blockStatistics,
  commonAlignment,
  dense,
  distinctNodes,
  integerTable,
  layoutAlignment,
  nodeAlignment,
  nodeStatistics,
  runs,
  sequence,
  stream,
  uniformBlocks,
  layout,
} from "../../src/index.js";
import type { LayoutNode, Run } from "../../src/index.js";
import { anyLayout, anyNode } from "../byte-map/any-layout.js";

const table = (...values: number[]) => integerTable(values.length, (i) => values[i] as number);
const unbounded = (root: LayoutNode) => layout(0, root, { lowerBoundBytes: 0, extentBytes: 64 });
const element = (root: LayoutNode, extentBytes: number) => layout(0, root, { lowerBoundBytes: 0, extentBytes });
const runsOf = (root: LayoutNode): Run[] => [...runs(unbounded(root), { count: 1, first: 0, length: root.sizeBytes })];

test("shared nodes are met once, and nothing below an empty node", () => {
  const shared = stream(3, 16, dense(8));
  const root = sequence([
    { offsetBytes: 0, node: shared },
    { offsetBytes: 64, node: shared },
    { offsetBytes: 0, node: stream(0, 8, dense(5)) },
  ]);
  expect([...distinctNodes(root)].map(({ kind, sizeBytes }) => [kind, sizeBytes])).toEqual([
    ["sequence", 48],
    ["stream", 24],
    ["stream", 0],
    ["dense", 8],
  ]);
});

test("the alignment of a node divides each run's offset, length and packed place", () => {
  fc.assert(
    fc.property(anyNode(), fc.constantFrom(1, 2, 16, 64), (root, most) => {
      const alignment = nodeAlignment(root, most);
      expect([1, 2, 4, 8, 16, 32, 64]).toContain(alignment);
      let packed = 0;
      for (const { offsetBytes, lengthBytes } of runsOf(root)) {
        for (const value of [offsetBytes, lengthBytes, packed]) expect(Math.abs(value % alignment)).toBe(0);
        packed += lengthBytes;
      }
    }),
    { numRuns: 1000 },
  );
});

test("the alignment of a layout holds for any number of elements", () => {
  fc.assert(
    fc.property(anyLayout(), (element) => {
      const alignment = layoutAlignment(element, 16);
      for (const { offsetBytes } of runs(element, { count: 3, first: 0, length: 3 * element.sizeBytes })) {
        expect(Math.abs(offsetBytes % alignment)).toBe(0);
      }
    }),
  );
});

test("the alignment of a layout divides every run's place and length, and the extent", () => {
  expect(layoutAlignment(element(stream(4, 128, dense(64)), 512), 64)).toBe(64);
  expect(layoutAlignment(element(stream(4, 96, dense(64)), 512), 64)).toBe(32);
  expect(layoutAlignment(element(stream(4, -96, dense(64)), 512), 64)).toBe(32);
  expect(layoutAlignment(element(stream(4, 128, dense(8)), 512), 64)).toBe(8);
  expect(
    layoutAlignment(
      element(
        uniformBlocks(
          integerTable(3, (i) => i * i * 48),
          dense(16),
        ),
        512,
      ),
      64,
    ),
  ).toBe(16);
  expect(layoutAlignment(element(stream(4, 128, dense(64)), 513), 64)).toBe(1);
});

test("runs in tables are aligned by their lengths, not by their elements", () => {
  expect(nodeAlignment(blocks(table(0, 32, 96), table(16, 48, 16), 1, dense(1)), 64)).toBe(16);
  expect(nodeAlignment(blocks(table(0, 32, 96), table(16, 48, 16), 4, dense(1)), 64)).toBe(1);
});

test("the greatest power of two that divides all of some values", () => {
  expect(commonAlignment([], 16)).toBe(16);
  expect(commonAlignment([0, -0], 16)).toBe(16);
  expect(commonAlignment([48, -8], 64)).toBe(8);
  expect(commonAlignment([2 ** 52, 2 ** 40 + 4], 64)).toBe(4);
});

test("block statistics have the least and the greatest run of a walk, and their mean", () => {
  fc.assert(
    fc.property(anyNode(), (root) => {
      const lengths = runsOf(root).map(({ lengthBytes }) => lengthBytes);
      const { blockCount, meanBytes, shortestBytes, longestBytes } = blockStatistics(root);
      expect(blockCount).toBe(root.blockCount);
      expect(shortestBytes).toBe(lengths.length === 0 ? 0 : Math.min(...lengths));
      expect(longestBytes).toBe(Math.max(0, ...lengths));
      expect(meanBytes * blockCount).toBeCloseTo(root.sizeBytes, 6);
    }),
    { numRuns: 1000 },
  );
});

test("strides are those between blocks of one stream or table", () => {
  const root = sequence([
    { offsetBytes: 0, node: stream(3, -24, dense(8)) },
    { offsetBytes: 1000, node: uniformBlocks(table(0, 7, 5), dense(1)) },
    { offsetBytes: 5000, node: stream(2, 640, stream(4, 16, dense(8))) },
  ]);
  expect(blockStatistics(root)).toMatchObject({ leastStrideBytes: 2, mostStrideBytes: 24 });
  expect(blockStatistics(dense(9))).toMatchObject({ leastStrideBytes: 0, mostStrideBytes: 0 });
});

test("nodes, members and table entries are counted once where they are shared", () => {
  const list = blocks(table(0, 9), table(1, 2), 1, dense(1));
  const even = uniformBlocks(table(0, 64, 128), list);
  const root = sequence([
    { offsetBytes: 0, node: even },
    { offsetBytes: 512, node: even },
  ]);
  expect(nodeStatistics(root)).toEqual({ nodes: 4, members: 2, tableEntries: 5, lengthEntries: 2 });
});
