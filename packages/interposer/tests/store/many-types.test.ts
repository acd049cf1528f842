import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { hasCompiler } from "./build-rank.js";
import { programsBuilt } from "./programs.js";

const program = programsBuilt(["many-types"]);

test.runIf(hasCompiler)("a store finds each of its types, however many there are, and takes so many", () => {
  const { stdout, stderr } = spawnSync(program("many-types"), [], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toBe("65536\n");
});
