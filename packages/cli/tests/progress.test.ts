import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { progressBar } from "../src/progress.js";

const drawnOn = (isTTY: boolean): string => {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const bar = progressBar("bench", stream);
  bar.show(1, 3);
  bar.line("a remark");
  bar.end();
  return String(stream.read());
};

test("three items have a bar too, lines stand above it, and it is gone at the end", () => {
  const clear = "\r\u001b[2K";
  const bar = `bench ${"█".repeat(8)}${"░".repeat(16)} 1/3`;
  expect(drawnOn(true)).toBe(`${clear}${bar}${clear}a remark\n${clear}${bar}${clear}`);
});

test("where nobody sees it there is no bar, but its lines", () => {
  expect(drawnOn(false)).toBe("a remark\n");
});
