import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

test("what Node has and a page lacks is not asked for", async () => {
  // A page that is not isolated has no SharedArrayBuffer.
  for (const name of ["SharedArrayBuffer", "Buffer"]) vi.stubGlobal(name, undefined);
  vi.resetModules();
  const { answers } = await import("../../src/worker/answers.js");
  const questions = answers();
  const { text, count } = questions.example("vector-1of2");
  expect(questions.open(text, "json", count, { columns: 32, rows: 16 }, undefined).ok).toBe(true);
  expect(questions.passes().length).toBeGreaterThan(0);
  expect(questions.warpAccesses().length).toBeGreaterThan(0);
  expect(questions.machineTexts().length).toBeGreaterThan(0);
  expect(questions.predicted(undefined)).toMatchObject({ times: expect.any(Array) as unknown });
});
