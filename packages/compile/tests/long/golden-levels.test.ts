import { spawnSync } from "node:child_process";
import { X64Backend } from "@stowage/backend-x64";
import { conditions, packMove } from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { linkGolden } from "../golden/link-golden.js";
import type { X64Target } from "../../src/index.js";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const COMMANDS = [
  ["gcc", "-O2"],
  ["gcc", "-O2", "-static"],
  ["clang", "-O2", "-fuse-ld=lld"],
  ["clang", "-O2", "-fuse-ld=lld", "-fPIE", "-pie", "-Wl,--gc-sections"],
].filter(([compiler = ""]) => has(compiler) && (compiler !== "clang" || has("ld.lld")));

const runs = (level: "avx2" | "avx512"): boolean =>
  new X64Backend({ level }).supports([packMove(denseLayout(1))], conditions()).ok;
const TARGETS: readonly X64Target[] = [
  "x86-64",
  ...(runs("avx2") ? (["x86-64-v3"] as const) : []),
  ...(runs("avx512") ? (["x86-64-v4"] as const) : []),
  "multi",
];

describe.each(TARGETS)("all golden types for %s", (target) => {
  test(`pack, unpack and ranges in C programs made by ${COMMANDS.map((command) => command.join(" ")).join("; ")}`, () => {
    expect(COMMANDS.some(([compiler]) => compiler === "clang")).toBe(true);
    for (const { messages, hashes, expected } of linkGolden(target, COMMANDS)) {
      expect(messages).toBe("");
      expect(hashes).toEqual(expected);
    }
  }, 300_000);
});
