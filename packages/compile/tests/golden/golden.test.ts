import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { linkGolden } from "./link-golden.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

describe.runIf(hasCompiler)("all golden types in one static library, linked into a C program by gcc", () => {
  test("pack, unpack and ranges, byte for byte, with code that chooses its level", () => {
    for (const { messages, hashes, expected } of linkGolden("multi", [["gcc", "-O1"]])) {
      expect(messages).toBe("");
      expect(hashes).toEqual(expected);
    }
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("the library was not linked", () => expect(hasCompiler).toBe(false));
});
