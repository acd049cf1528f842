import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import type { answers } from "../../src/worker/answers.js";
import { scriptOf } from "../../script-of.mjs";

/** What a page has beside ECMAScript; not SharedArrayBuffer, unless it is isolated. */
const { performance, TextDecoder, TextEncoder, URL } = globalThis;
const WITHOUT_SHARED_MEMORY = "delete globalThis.SharedArrayBuffer;";

test("what Node has and a page lacks is not asked for", async () => {
  const context = createContext({ performance, TextDecoder, TextEncoder, URL });
  const file = fileURLToPath(new URL("../../src/worker/answers.ts", import.meta.url));
  runInContext(WITHOUT_SHARED_MEMORY + (await scriptOf(file, "worker")), context);
  const questions = runInContext("worker.answers()", context) as ReturnType<typeof answers>;
  const { text, count } = questions.example("vector-1of2");
  expect(questions.open(text, "json", count, { columns: 32, rows: 16 }, undefined).ok).toBe(true);
  expect(questions.passes().length).toBeGreaterThan(0);
  expect(questions.warpAccesses().length).toBeGreaterThan(0);
  expect(questions.machineTexts().length).toBeGreaterThan(0);
  expect(questions.predicted(undefined)).toHaveProperty("times");
});
