import { dense, layout } from "@stowage/ir";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { addressSpace, hostMemory, bufferOriginOf, reachOf, regionAt } from "../src/index.js";
import { anyBound, enumeratedReach } from "./check/any-bound.js";

const buffer = hostMemory(new Uint8Array(64));
const space = addressSpace([
  { startBytes: 2 ** 40, buffer },
  { startBytes: -8, buffer },
]);

it("reaches what the elements touch that the range touches, and no further", () => {
  fc.assert(
    fc.property(anyBound(), ({ layout, ...range }) => {
      const [low, high] = range.length === 0 ? [0, 0] : enumeratedReach({ layout, ...range });
      expect(reachOf(layout, range)).toEqual({ lowBytes: low, highBytes: high });
    }),
    { numRuns: 2000 },
  );
});

it("finds the region of an offset, and none between regions", () => {
  expect(regionAt(space, -8)?.startBytes).toBe(-8);
  expect(regionAt(space, 55)?.startBytes).toBe(-8);
  expect(regionAt(space, 2 ** 40 + 63)?.startBytes).toBe(2 ** 40);
  for (const outside of [-9, 56, 2 ** 40 - 1, 2 ** 40 + 64]) expect(regionAt(space, outside)).toBeUndefined();
  expect(regionAt(buffer, 63)).toEqual({ startBytes: 0, buffer });
  expect(regionAt(buffer, 64)).toBeUndefined();
  expect(regionAt(addressSpace([]), 0)).toBeUndefined();
});

it("places a span in the one buffer that holds its reach", () => {
  const one = layout(0, dense(8), { lowerBoundBytes: 0, extentBytes: 16 });
  const range = { count: 4, first: 8, length: 24 };
  expect(bufferOriginOf(one, { memory: space, originBytes: 2 ** 40 - 16 }, range)).toEqual({
    buffer,
    originBytes: -16,
  });
  expect(bufferOriginOf(one, { memory: buffer, originBytes: 8 }, range)).toEqual({ buffer, originBytes: 8 });
  expect(bufferOriginOf(one, { memory: buffer, originBytes: 9 }, range)).toBeUndefined();
  expect(bufferOriginOf(one, { memory: space, originBytes: 16 }, range)).toBeUndefined();
});
