import { expect, test } from "vitest";
import { elideLists, wrapLines } from "../src/explain/fit.js";

test("a long list keeps its first and last entries, and says how many it has lost", () => {
  const list = Array.from({ length: 1e5 }, (_, i) => i * 3);
  expect(elideLists(`INDEX(${JSON.stringify(list)},8)`)).toBe(
    "INDEX([0,3,6,9,12,15,18,21,… 99990 more …,299994,299997],8)",
  );
  expect(elideLists("[1, -2, 3]")).toBe("[1, -2, 3]");
});

test.each([10, 40, 79])("no line is wider than %i, and no word is lost", (width) => {
  const text = `  one two three ${"four,".repeat(30)} ${"x".repeat(200)}\n\nlast`;
  const wrapped = wrapLines(text, width);
  for (const line of wrapped.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
  expect(wrapped.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
});

test("a list of 6 million entries is cut as others are, and a text of as many brackets is left", () => {
  const list = `[${"1,".repeat(6e6)}2]`;
  expect(elideLists(list)).toBe("[1,1,1,1,1,1,1,1,… 5999991 more …,1,2]");
  expect(elideLists("[".repeat(1e5))).toHaveLength(1e5);
});

test.each([0, -2])("a terminal of %d columns gets lines that are narrow", (width) => {
  expect(wrapLines("one two three four five six", width).split("\n").length).toBeGreaterThan(1);
});
