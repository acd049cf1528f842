import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { linkGolden } from "../golden/link-golden.js";
import { TARGETS_HERE } from "../golden/targets-here.js";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const COMMANDS = [
  ["gcc", "-O2"],
  ["gcc", "-O2", "-static"],
  ["clang", "-O2", "-fuse-ld=lld"],
  ["clang", "-O2", "-fuse-ld=lld", "-fPIE", "-pie", "-Wl,--gc-sections"],
].filter(([compiler = ""]) => has(compiler) && (compiler !== "clang" || has("ld.lld")));

describe.each(TARGETS_HERE)("all golden types for %s", (target) => {
  test(`pack, unpack and ranges in C programs made by ${COMMANDS.map((command) => command.join(" ")).join("; ")}`, () => {
    expect(COMMANDS.some(([compiler]) => compiler === "clang")).toBe(true);
    for (const { messages, hashes, expected } of linkGolden(target, COMMANDS)) {
      expect(messages).toBe("");
      expect(hashes).toEqual(expected);
    }
  }, 300_000);
});
