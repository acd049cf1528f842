import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyDatatype } from "@stowage/arbitraries";
import {
  canonicalise,
  forEachRun,
  hindexed,
  hvector,
  layoutStatistics,
  lower,
  predefined,
  resized,
  type Datatype,
  type Layout,
  type LayoutStatistics,
} from "../../src/index.js";

const BYTE = predefined("MPI_BYTE");

const statisticsOf = (datatype: Datatype): LayoutStatistics => layoutStatistics(canonicalise(lower(datatype)));

function unitsOf(layout: Layout, unitBytes: number): number {
  const units = new Set<number>();
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    for (let at = offset; at < offset + length; at++) units.add(Math.floor(at / unitBytes));
  });
  return units.size;
}

test("are looked at once a layout", () => {
  const layout = canonicalise(lower(hvector(4, 8, 64, BYTE)));
  expect(layoutStatistics(layout)).toBe(layoutStatistics(layout));
});

test("an aligned stream touches a line a block; a table the lines that follow each other", () => {
  expect(statisticsOf(hvector(10, 8, 64, BYTE))).toMatchObject({ groups: 1, tableBlocks: 0 });
  expect(statisticsOf(hvector(10, 64, 128, BYTE)).lines).toBe(10);
  const list = statisticsOf(hindexed([8, 8, 8, 4], [0, 32, 640, 8], BYTE));
  expect(list).toMatchObject({ tableBlocks: 4, raggedBlocks: 4, lines: 3, blockCount: 4, sizeBytes: 28 });
});

test("innermost loops count as often as they are entered", () => {
  const row = resized(0, 4096, hvector(4, 8, 64, BYTE));
  expect(statisticsOf(hvector(6, 1, 8192, row)).groups).toBe(6);
});

test("never fewer lines than are touched divided by their sharing, and none of what is empty", () => {
  fc.assert(
    fc.property(anyDatatype(), (datatype) => {
      const layout = lower(datatype);
      fc.pre(layout.sizeBytes <= 4096);
      const statistics = layoutStatistics(layout);
      for (const value of Object.values(statistics)) expect(Number.isFinite(Number(value))).toBe(true);
      if (layout.sizeBytes === 0) expect(statistics).toMatchObject({ lines: 0, groups: 0, pages: 0 });
      else {
        expect(statistics.lines).toBeGreaterThan(0);
        expect(statistics.lines).toBeLessThanOrEqual(statistics.blockCount * (1 + statistics.sizeBytes / 64) + 1);
        expect(statistics.pages).toBeLessThanOrEqual(Math.max(1, statistics.lines) + statistics.blockCount);
        expect(unitsOf(layout, 4096)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300 },
  );
});
