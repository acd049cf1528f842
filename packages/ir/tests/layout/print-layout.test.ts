import { expect, test } from "vitest";
import { dense, integerTable, layout, printLayout, sequence, stream, uniformBlocks } from "../../src/index.js";

const bounds = { lowerBoundBytes: 0, extentBytes: 512 };

test("a layout is printed one node a line, indented by level", () => {
  const root = sequence([
    { offsetBytes: 0, node: stream(3, 16, dense(8)) },
    { offsetBytes: 100, node: dense(4) },
  ]);
  expect(printLayout(layout(24, root, bounds))).toBe(
    [
      "28 bytes from 24, lower bound 0, extent 512",
      "  sequence of 2",
      "    at 0: stream 3 x, stride 16 B",
      "      dense 8 B",
      "    at 100: dense 4 B",
    ].join("\n"),
  );
});

test("long tables and deep nesting are cut short", () => {
  const long = uniformBlocks(
    integerTable(1000, (i) => i * i),
    dense(1),
  );
  expect(printLayout(layout(0, long, bounds))).toContain("1000 blocks at [0, 1, 4, 9, 16, 25, ..]");
  let deep: ReturnType<typeof stream> = stream(1, 1, dense(1));
  for (let level = 0; level < 10_000; level++) deep = stream(1, 1, deep);
  expect(printLayout(layout(0, deep, bounds)).split("\n").length).toBeLessThan(50);
});
