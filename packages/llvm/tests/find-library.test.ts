import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLibrary, libraryNames, LlvmError, TRIED_VERSIONS } from "../src/index.js";

const ONE_LINE = /^libLLVM at .+: expected .+, got [^\n]+; install one of them, on Debian: apt install libllvm19$/;

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "llvm-"))));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a library that cannot be used is one line that says what to install", () => {
  test("a path where nothing is", () => {
    expect(() => findLibrary(join(folder, "nothing.so"))).toThrow(LlvmError);
    expect(() => findLibrary(join(folder, "nothing.so"))).toThrow(ONE_LINE);
  });

  test("a file that is no library", () => {
    const broken = join(folder, "libLLVM-19.so.1");
    writeFileSync(broken, "\x7fELF and then nothing that a loader takes");
    expect(() => findLibrary(broken)).toThrow(ONE_LINE);
  });

  test.runIf(process.platform === "linux")("a library that is not LLVM, as one of another version", () => {
    expect(() => findLibrary("libc.so.6")).toThrow(
      /expected version 15, 16, 19, 22, got a library that is older, or no LLVM/,
    );
  });
});

test("names are tried by version, newest first", () => {
  expect(TRIED_VERSIONS).toEqual([...TRIED_VERSIONS].sort((a, b) => b - a));
  for (const version of TRIED_VERSIONS)
    expect(libraryNames(version).every((name) => name.includes(String(version)))).toBe(true);
});
