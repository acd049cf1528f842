import { dense, layout, uniformBlocks, integerTable, type Layout } from "@stowage/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FEATURE_LEVELS } from "../src/feature-level.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { cases } from "./any-case.js";
import { OUT_OF_CACHE, ranges, SHAPES } from "./shapes.js";
import { simulatedDifferenceOf } from "./simulate.js";
import { thinned } from "./thinned.js";

// The processor of a test machine may lack a level; the simulated one has all.
const seed = Number(process.env["STOWAGE_SEED"] ?? 20_251_203);
const numRuns = Number(process.env["STOWAGE_LAW_RUNS"] ?? 300);

describe.each(FEATURE_LEVELS)("at %s, on the simulated processor", (level) => {
  test.each(["pack", "unpack"] as const)(
    "%s moves what a walk over the runs moves, and touches nothing outside",
    (direction) => {
      fc.assert(
        fc.property(cases, ({ layout, range, tuning }) => {
          expect(
            simulatedDifferenceOf(layout, range, direction, level, { ...DEFAULT_TUNING, ...tuning }),
          ).toBeUndefined();
        }),
        { seed, numRuns },
      );
    },
  );
});

function tryRanges(layoutOf: Layout, count: number, turn: number): void {
  const all = ranges(layoutOf.sizeBytes * count, layoutOf.sizeBytes).filter(
    ([first, length]) => first >= 0 && length > 0 && first + length <= layoutOf.sizeBytes * count,
  );
  const ways = all.flatMap(([first, length]) =>
    (["pack", "unpack"] as const).flatMap((direction) =>
      [DEFAULT_TUNING, OUT_OF_CACHE].map((tuning) => ({ first, length, direction, tuning })),
    ),
  );
  for (const { first, length, direction, tuning } of thinned(ways, 9, turn)) {
    expect(simulatedDifferenceOf(layoutOf, { count, first, length }, direction, "avx512", tuning)).toBeUndefined();
  }
}

const numbered = SHAPES.map(([name, layout], turn) => [name, layout, turn] as const);
test.each(numbered)("at avx512, on the simulated processor: %s", (_, of, turn) => tryRanges(of, 3, turn));

const elements = [
  [1, 2],
  [3, 5],
  [4, 12],
  [8, 16],
  [12, 24],
  [17, 24],
  [31, 33],
] as const;
test.each(elements)("at avx512, on the simulated processor: many elements of %i bytes, %i apart", (bytes, apart) => {
  tryRanges(layout(0, dense(bytes), { lowerBoundBytes: 0, extentBytes: apart }), 300, bytes);
});

test("a walk over a table that prefetches far ahead reads nothing behind the program", () => {
  const table = uniformBlocks(
    integerTable(97, (i) => ((i * 37) % 97) * 27),
    dense(24),
  );
  const type = layout(0, table, { lowerBoundBytes: 0, extentBytes: table.highBytes });
  const tuning = { ...DEFAULT_TUNING, prefetchEntries: 96, prefetchReachBytes: 0 };
  const range = { count: 2, first: 0, length: 2 * type.sizeBytes };
  expect(simulatedDifferenceOf(type, range, "pack", "avx2", tuning)).toBeUndefined();
});
