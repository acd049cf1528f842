// What each test file takes of the processors: a line a file, appended to the file that STOWAGE_TIMES names.
// `node scripts/test.mjs --times` asks for it.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { processorSeconds } from "./processor-seconds.mjs";

const before = processorSeconds();
afterAll(() => {
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  appendFileSync(process.env.STOWAGE_TIMES, `${file}\t${(processorSeconds() - before).toFixed(2)}\n`);
});
