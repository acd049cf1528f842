import {
  dense,
  integerTable,
  layout,
  sequence,
  stream,
  uniformBlocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import * as fc from "fast-check";
import { anyLayout } from "@stowage/arbitraries";
import { expect, test } from "vitest";
import { compileDame, copy, flattenDame, loadDame, startState } from "../../src/index.js";
import { expectBytes, memoryFor, plainPack, plainWalk } from "../plain-walk.js";

const load = (element: Layout) => loadDame(compileDame(element), element.extentBytes);

test("any layout's bytes go to any other's, paired in packed order, from any byte on", () => {
  const sides = fc.tuple(anyLayout(), anyLayout({ disjoint: true }), fc.boolean());
  fc.assert(
    fc.property(sides, fc.integer({ min: 1, max: 3 }), fc.nat(), ([source, target, flat], count, skip) => {
      const from = plainWalk(source, count);
      const to = plainWalk(target, count);
      const common = Math.min(from.length, to.length);
      const packedByte = common === 0 ? 0 : skip % common;
      const { bytes, originBytes } = memoryFor(from);
      const memory = memoryFor(to);
      const expected = memory.bytes.slice();
      const packed = plainPack(bytes, originBytes, from);
      for (let i = packedByte; i < common; i++) expected[memory.originBytes + (to[i] as number)] = packed[i] as number;
      const prepare = flat ? flattenDame : <T>(loaded: T): T => loaded;
      const moved = copy(
        startState(prepare(load(source)), { count, originBytes, packedByte }),
        startState(prepare(load(target)), { count, originBytes: memory.originBytes, packedByte }),
        bytes,
        memory.bytes,
      );
      expect(moved).toBe(common - packedByte);
      expectBytes(memory.bytes, expected);
    }),
    { numRuns: 500 },
  );
});

/** 9,600 bytes in blocks of a length, strided or shuffled: more than goes through the stage at a time. */
const inBlocksOf = (length: number, shuffled: boolean): Layout => {
  const count = 9600 / length;
  const pitch = length + 5;
  const table = integerTable(count, (i) => ((i * 7) % count) * pitch);
  const root = shuffled ? uniformBlocks(table, dense(length)) : stream(count, pitch, dense(length));
  return layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
};

test.each([1, 3, 8, 12, 40, 96, 320].flatMap((from) => [1, 3, 8, 12, 40, 96, 320].map((to) => [from, to] as const)))(
  "blocks of %i bytes go into blocks of %i",
  (from, to) => {
    for (const [shuffledFrom, shuffledTo] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const source = inBlocksOf(from, shuffledFrom);
      const target = inBlocksOf(to, shuffledTo);
      const { bytes, originBytes } = memoryFor(plainWalk(source));
      const memory = memoryFor(plainWalk(target));
      const expected = memory.bytes.slice();
      const packed = plainPack(bytes, originBytes, plainWalk(source));
      plainWalk(target).forEach((offset, i) => (expected[memory.originBytes + offset] = packed[i] as number));
      const state = startState(load(source), { originBytes });
      const moved = copy(state, startState(load(target), { originBytes: memory.originBytes }), bytes, memory.bytes);
      expect(moved).toBe(9600);
      expectBytes(memory.bytes, expected);
    }
  },
);

test("flattening keeps every byte and its place in the stream, whatever the count", () => {
  fc.assert(
    fc.property(anyLayout(), fc.constantFrom(1, 2, 5, 37, 200), fc.nat(), (element, count, skip) => {
      const offsets = plainWalk(element, count);
      const { bytes, originBytes } = memoryFor(offsets);
      const packedByte = offsets.length === 0 ? 0 : skip % offsets.length;
      const target = new Uint8Array(offsets.length - packedByte);
      const dense1 = load(layout(0, dense(1), { lowerBoundBytes: 0, extentBytes: 1 }));
      const from = startState(flattenDame(load(element)), { count, originBytes, packedByte });
      copy(from, startState(dense1, { count: target.length }), bytes, target);
      expectBytes(target, plainPack(bytes, originBytes, offsets).subarray(packedByte));
    }),
    { numRuns: 300 },
  );
});

test("flattening makes one leaf of a small nest, and tiles of a long loop", () => {
  const small = stream(4, 256, stream(4, 16, dense(8)));
  const mixed = sequence([
    { offsetBytes: 0, node: dense(1) },
    { offsetBytes: 8, node: stream(2, 8, dense(4)) },
  ]);
  const long = stream(1000, 24, mixed);
  const rootOf = (root: LayoutNode) =>
    flattenDame(load(layout(0, root, { lowerBoundBytes: 0, extentBytes: 1 << 20 }))).root;
  expect(rootOf(small)).toMatchObject({ tile: 32, child: { leaf: true } });
  expect(rootOf(long).child).toMatchObject({ tile: Math.floor(512 / 3), child: { leaf: true, stepBytes: 1 } });
});
