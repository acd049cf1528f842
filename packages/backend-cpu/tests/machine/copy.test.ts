import { dense, layout, sequence, stream, type Layout, type LayoutNode } from "@stowage/ir";
import * as fc from "fast-check";
import { anyLayout } from "@stowage/workloads";
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
  const rootOf = (root: LayoutNode) => flattenDame(load(layout(0, root, { lowerBoundBytes: 0, extentBytes: 1 << 20 }))).root;
  expect(rootOf(small)).toMatchObject({ tile: 32, child: { leaf: true } });
  expect(rootOf(long).child).toMatchObject({ tile: Math.floor(512 / 3), child: { leaf: true, stepBytes: 1 } });
});
