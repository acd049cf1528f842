import { packMove, unpackMove, type Move } from "@stowage/backend-api";
import { canonicalise, forEachRun, type Layout } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LaunchRecord } from "@stowage/host-plans";
import { cutRecords } from "../../src/threads/cut-records.js";
import { grainOf } from "../../src/threads/grain.js";
import { dense, layout, stream } from "@stowage/ir";

const SOURCE = 1_000_000;
const TARGET = 9_000_000;

/** Each byte that a record of a pack moves: from where to where. */
function bytesOf(type: Layout, [, source, target, count, first, length]: LaunchRecord): string[] {
  const moved: string[] = [];
  let packed = target + first;
  forEachRun(type, { count, first, length }, (offset, runLength) => {
    for (let i = 0; i < runLength; i++) moved.push(`${source + offset + i} to ${packed++}`);
  });
  return moved;
}

const launch = (move: Move, count: number, first: number, length: number) => ({
  move,
  record: [7, SOURCE, TARGET, count, first, length] as const,
});

const cases = anyLayout({ maxSizeBytes: 200 }).chain((type) => {
  const total = 4 * type.sizeBytes;
  return fc.record({
    type: fc.constant(canonicalise(type)),
    ends: fc.tuple(fc.nat({ max: total }), fc.nat({ max: total })),
    slices: fc.integer({ min: 1, max: 20 }),
  });
});

test("slices move the bytes of the records, each once, in packed order", () => {
  fc.assert(
    fc.property(cases, ({ type, ends, slices }) => {
      const [first, end] = [Math.min(...ends), Math.max(...ends)];
      fc.pre(first < end);
      const whole = launch(packMove(type), 4, first, end - first);
      const cut = cutRecords([whole, whole], slices);
      expect(cut.length).toBeLessThanOrEqual(slices);
      expect(cut.every((slice) => slice.length > 0)).toBe(true);
      const want = bytesOf(type, whole.record);
      expect(cut.flat().flatMap((record) => bytesOf(type, record))).toEqual([...want, ...want]);
    }),
    { numRuns: 500 },
  );
});

const element = (root: Parameters<typeof layout>[1], extentBytes: number): Layout =>
  layout(0, root, { lowerBoundBytes: 0, extentBytes });

test("whole elements become records of their own, equal in length", () => {
  const type = element(stream(4, 256, dense(64)), 1024);
  const cut = cutRecords([launch(unpackMove(type), 100, 0, 25_600)], 4);
  expect(cut).toEqual([0, 25, 50, 75].map((k) => [[7, SOURCE + k * 256, TARGET + k * 1024, 25, 0, 6400]]));
});

test("one long element is cut between its children, and a range keeps the bytes that are no whole element", () => {
  const type = element(stream(1000, 256, dense(48)), 256_000);
  const cut = cutRecords([launch(packMove(type), 1, 100, 40_000)], 2);
  expect(cut.flat().map(([, , , , first, length]) => [first, length])).toEqual([
    [100, 20_060],
    [20_160, 19_940],
  ]);
});

test("slices differ by less than a quarter of the mean, where records are longer than that", () => {
  const type = element(stream(3, 100_000, stream(700, 128, dense(100))), 300_000);
  const lengths = cutRecords([launch(packMove(type), 9, 0, 9 * 210_000)], 8).map((slice) =>
    slice.reduce((sum, record) => sum + record[5], 0),
  );
  expect(lengths).toHaveLength(8);
  for (const length of lengths) expect(Math.abs(length / ((9 * 210_000) / 8) - 1)).toBeLessThan(0.25);
});

test("the grain is whole elements that fill cache lines on both sides, else children, else lines, else bytes", () => {
  const columns = packMove(element(stream(512, 4096, dense(16)), 16));
  expect(grainOf(columns, 100_000)).toBe(4 * 8192);
  expect(grainOf(columns, 10_000)).toBe(8192);
  expect(grainOf(columns, 1000)).toBe(64);
  expect(grainOf(columns, 63)).toBe(16);
  expect(grainOf(columns, 15)).toBe(1);
});
