import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hindexed, predefined, vector } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { compileTypes } from "../../src/index.js";
import { buildStepping, runStepping } from "./step-cases.js";
import { goldenSteps, steppedTypes } from "./stepped-types.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const SAMPLED = fileURLToPath(new URL("sampled.c", import.meta.url));

describe.runIf(hasCompiler)("from every instruction the caller is found, with its registers", () => {
  const folder = mkdtempSync(join(tmpdir(), "unwind-step-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["every kind of code, SSE2", "x86-64", steppedTypes],
    ["every kind of code, as this processor has it", "multi", steppedTypes],
    ["golden types, as this processor has it", "multi", goldenSteps(12)],
  ] as const)("%s", (_, target, types) => {
    expect(buildStepping(folder, types, target)).toBe("");
    const { steps, places: checked, wrong, messages } = runStepping(folder, 20_000);
    expect([wrong, messages]).toEqual([0, ""]);
    expect(checked).toBeGreaterThan(types.length * 200);
    expect(steps).toBeGreaterThan(checked);
  });
});

describe.runIf(hasCompiler)("a profiler that interrupts code at any time", () => {
  const folder = mkdtempSync(join(tmpdir(), "unwind-sampled-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("finds the way to main from every sample", () => {
    const face = vector(
      24,
      3,
      7,
      hindexed([1, 30, 3, 100, 17, 1], [0, 20, 300, 1000, 800, 400], predefined("MPI_INT")),
    );
    const types = [{ symbol: "face", datatype: face }];
    for (const { ending, bytes } of compileTypes(types, { name: "sampled", target: "multi", language: "c" }))
      writeFileSync(join(folder, `sampled${ending}`), bytes);
    const [library, program] = [join(folder, "libsampled.so"), join(folder, "sampled")];
    const run = (command: string, ...args: string[]): string => {
      const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
      return stdout + stderr;
    };
    expect(run("gcc", "-shared", "-o", library, join(folder, "sampled.o"))).toBe("");
    const own = ["-std=c11", "-O1", "-Wall", "-Wextra", "-rdynamic", `-I${folder}`, "-o", program];
    expect(run("gcc", ...own, SAMPLED, library, `-Wl,-rpath,${folder}`)).toBe("");
    expect(run(program)).toBe("200 of 200 reached main\n");
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("nothing was stepped through", () => expect(hasCompiler).toBe(false));
});
