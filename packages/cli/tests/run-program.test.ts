import { Command } from "commander";
import { afterEach, expect, test, vi } from "vitest";
import { FindingError } from "../src/exit-code.js";
import { runProgram } from "../src/run-program.js";

afterEach(() => vi.restoreAllMocks());

/** A command that fails, and whose resource cannot be disposed of either. */
const failing = (error: Error): Command =>
  new Command("stowage").action(() => {
    using resource = {
      error,
      [Symbol.dispose]() {
        throw new Error("stuck");
      },
    };
    throw resource.error;
  });

test.each([
  [new Error("first\n  of two"), 2, "stowage: first of two\n"],
  [new FindingError("a finding"), 1, "stowage: a finding\n"],
])("where disposal fails as well, the error that came first is told, in one line", async (error, code, line) => {
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  expect(await runProgram(failing(error), ["node", "stowage"])).toBe(code);
  expect(written).toEqual([line]);
});
