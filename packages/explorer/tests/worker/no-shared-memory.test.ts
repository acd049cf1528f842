import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

test("a page that is not isolated has no SharedArrayBuffer, and opens all the same", async () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  vi.resetModules();
  const { answers } = await import("../../src/worker/answers.js");
  const questions = answers();
  const { text, count } = questions.example("contiguous");
  expect(questions.open(text, "json", count, { columns: 32, rows: 16 }, undefined).ok).toBe(true);
});
