import { canonicalise, indexedBlock, lower, predefined, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { coverage } from "../src/picture/coverage.js";
import { layoutSvg } from "../src/picture/layout-svg.js";
import { terminalPicture } from "../src/picture/terminal-picture.js";

const DOUBLE = predefined("MPI_DOUBLE");
const column = canonicalise(lower(vector(4, 1, 4, DOUBLE)));
const million = canonicalise(
  lower(
    indexedBlock(
      1,
      Int32Array.from({ length: 1e6 }, (_, i) => i * 3 + (i % 2)),
      DOUBLE,
    ),
  ),
);

test("coverage adds up to the bytes that move", () => {
  for (const layout of [column, million]) {
    const { filled, bytesPerCell } = coverage(layout, 1, Math.ceil(layout.extentBytes / 512));
    const bytes = filled.reduce((sum, share) => sum + share * bytesPerCell, 0);
    expect(bytes).toBeCloseTo(layout.sizeBytes, 3);
  }
});

test("a terminal picture shows each byte of a small datatype", () => {
  const [, row] = terminalPicture(column).split("\n");
  expect(row?.trim().split(/\s+/)[1]).toBe(`${"█".repeat(8)}${"·".repeat(24)}`.repeat(2));
});

test.each([
  ["four blocks", column, 4],
  ["a million blocks", million, 0],
])("an SVG of %s stays small, and numbers blocks that can be told apart", (_, layout, numbered) => {
  const svg = layoutSvg("a <column>", layout, 1);
  expect(svg.length).toBeLessThan(1_000_000);
  expect(svg).toContain("a &lt;column&gt;");
  expect(svg.match(/font-size="7"/g)?.length ?? 0).toBe(numbered);
});
