import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatsHeader } from "../../src/formats/formats-header.js";
import { hasCompiler, RUNTIME } from "../runtime/build.js";

test("runtime/formats.h is what the tables say", async () => {
  await expect(formatsHeader()).toMatchFileSnapshot(join(RUNTIME, "formats.h"));
});

test.runIf(hasCompiler).each([
  ["gcc", "-std=c11", "c"],
  ["g++", "-std=c++17", "c++"],
])("a compiler lays the records out so: %s %s", (compiler, standard, language) => {
  const warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"];
  const args = [standard, "-x", language, ...warnings, "-fsyntax-only", join(RUNTIME, "formats.h")];
  expect(spawnSync(compiler, args, { encoding: "utf8" }).stderr.replace(/.*#pragma once.*\n/, "")).toBe("");
});
