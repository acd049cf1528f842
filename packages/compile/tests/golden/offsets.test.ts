import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { goldenTypes } from "./golden-types.js";
import { packedByOffsets } from "./offsets.js";

const hasCompiler = spawnSync("g++", ["--version"]).status === 0;
const EVERY = 12;

describe.runIf(hasCompiler)("a header of offsets", () => {
  test("packs golden types, and knows of every byte where it is packed", () => {
    const types = goldenTypes().filter((_, i) => i % EVERY === 0);
    const { messages, hashes } = packedByOffsets(types, "g++");
    expect(messages).toBe("");
    expect(hashes).toEqual(types.map(({ sha256 }) => sha256));
  });
});

describe.skipIf(hasCompiler)("no C++ compiler", () => {
  test("offsets were not tried", () => expect(hasCompiler).toBe(false));
});
