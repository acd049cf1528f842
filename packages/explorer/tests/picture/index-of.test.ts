import { anyLayout } from "@stowage/arbitraries";
import {
  canonicalise,
  forEachRun,
  hvector,
  indexedBlock,
  locate,
  lower,
  predefined,
  resized,
  vector,
} from "@stowage/ir";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { indexOf } from "../../src/picture/index-of.js";

const DOUBLE = predefined("MPI_DOUBLE");

/** Every touched byte, from the root's zero of element zero, in ascending order. */
function addresses(layout: Parameters<typeof indexOf>[0], count: number): number[] {
  const found: number[] = [];
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offset, length) => {
    for (let i = 0; i < length; i++) found.push(offset + i - layout.startBytes);
  });
  return found.sort((a, b) => a - b);
}

test("bytes below an address, and the next one from it, are those of the type map", () => {
  fc.assert(
    fc.property(
      anyLayout({ maxSizeBytes: 256, maxReachBytes: 2048 }),
      fc.nat({ max: 3 }),
      fc.nat(),
      (layout, count, at) => {
        const index = indexOf(layout, count);
        const touched = addresses(layout, count);
        expect(index?.sizeBytes ?? 0).toBe(touched.length);
        if (index === undefined || !index.exact) return;
        expect([index.lowBytes, index.highBytes]).toEqual([touched[0], (touched.at(-1) as number) + 1]);
        const span = index.highBytes - index.lowBytes;
        for (const address of [index.lowBytes - 1, index.lowBytes + (at % span), index.highBytes]) {
          expect(index.before(address)).toBe(touched.filter((each) => each < address).length);
          const found = index.from(address);
          expect(found?.address).toBe(touched.find((each) => each >= address));
          if (found !== undefined) expect(locate(layout, found.packed) - layout.startBytes).toBe(found.address);
        }
      },
    ),
  );
});

test("a transpose, and columns of interleaved elements, are counted exactly: no order of their loops is in the way", () => {
  const column = resized(0, 8, vector(1000, 1, 1000, DOUBLE));
  const index = indexOf(canonicalise(lower(column)), 1000);
  expect(index?.exact).toBe(true);
  expect(index?.before(8_000_000)).toBe(8_000_000);
  expect(index?.from(8)).toEqual({ address: 8, packed: 8000 });
  const listed = resized(0, 8, indexedBlock(1, [0, 1000, 3000], DOUBLE));
  expect(indexOf(canonicalise(lower(listed)), 1000)?.exact).toBe(true);
});

test("a type of 2^40 bytes is described, not listed", () => {
  const index = indexOf(canonicalise(lower(hvector(2 ** 36, 16, 256, predefined("MPI_BYTE")))), 1);
  expect(index?.sizeBytes).toBe(2 ** 40);
  expect(index?.before(2 ** 43 + 1)).toBe(2 ** 39 + 1);
  expect(index?.from(2 ** 43 + 100)).toEqual({ address: 2 ** 43 + 256, packed: 2 ** 39 + 16 });
});
