import { canonicalise, hvector, indexedBlock, lower, predefined, subarray, vector } from "@stowage/ir";
import { expect, test } from "vitest";
import { coverage } from "../src/picture/coverage.js";
import { grid } from "../src/picture/grid.js";
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
    const bytesPerCell = Math.ceil(layout.extentBytes / 512);
    const { filled } = coverage(layout, 1, { pitchBytes: 16 * bytesPerCell, columns: 16, bytesPerCell });
    const bytes = filled.reduce((sum, share) => sum + share * bytesPerCell, 0);
    expect(bytes).toBeCloseTo(layout.sizeBytes, 3);
  }
});

test("a terminal picture shows each byte of a small datatype, a pitch a row", () => {
  const [head, ...rows] = terminalPicture(column).split("\n");
  expect(head).toBe("a row: 32 B, one character: 1 B; · untouched, █ every byte");
  const cells = rows.map((row) => row.trim().split(/\s+/));
  expect(cells.slice(0, 3)).toEqual(
    [0, 32, 64].map((address) => [String(address), `${"█".repeat(8)}${"·".repeat(24)}`]),
  );
});

const plane = (rows: number, columns: number) =>
  canonicalise(
    lower(subarray({ sizes: [rows, columns], subsizes: [2, 2], starts: [1, 1], order: "C", child: DOUBLE })),
  );

test.each([
  ["512 B", plane(12, 64), 512],
  ["a prime number of doubles", plane(12, 101), 808],
  ["odd bytes", canonicalise(lower(hvector(12, 1, 131, DOUBLE))), 131],
])("rows of %s are drawn as rows of a picture, on a page and on a terminal", (_, layout, pitch) => {
  expect(grid(layout, 1).pitchBytes).toBe(pitch);
  const addresses = [...terminalPicture(layout).matchAll(/^ *(\d+) /gm)].map(([, address]) => Number(address));
  expect(addresses).toEqual(addresses.map((_, row) => row * pitch));
  expect(addresses.length).toBeGreaterThan(10);
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
