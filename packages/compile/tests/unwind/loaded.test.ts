import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hindexed, predefined, struct, vector, type Datatype } from "@stowage/ir";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileTypes } from "../../src/index.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;
const LOADED = fileURLToPath(new URL("loaded.c", import.meta.url));
const RUNTIME = fileURLToPath(new URL("../../../../runtime", import.meta.url));

const int = predefined("MPI_INT");
const TYPES: Readonly<Record<string, Datatype>> = {
  face: vector(24, 3, 7, hindexed([1, 30, 3, 100, 17, 1], [0, 20, 300, 1000, 800, 400], int)),
  cells: struct([3, 40], [0, 400], [vector(30, 1, 3, int), vector(50, 2, 5, predefined("MPI_DOUBLE"))]),
};

const OPTIONS = { target: "multi", language: "artifact" } as const;

describe.runIf(hasCompiler)("a profiler that interrupts code which was loaded", () => {
  const folder = mkdtempSync(join(tmpdir(), "unwind-loaded-"));
  const program = join(folder, "loaded");
  /** What the program prints for a type, where STOWAGE_FRAMES says whether unwinders are told. */
  const run = (name: string, frames: string): string => {
    const env = { ...process.env, STOWAGE_FRAMES: frames };
    const { stdout, stderr } = spawnSync(program, [join(folder, name)], { encoding: "utf8", env });
    return stdout + stderr;
  };
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(() => {
    for (const [symbol, datatype] of Object.entries(TYPES))
      for (const { ending, bytes } of compileTypes([{ symbol, datatype }], { ...OPTIONS, name: symbol }))
        writeFileSync(join(folder, `${symbol}${ending}`), bytes);
    const own = ["-std=gnu11", "-O1", "-Wall", "-Wextra", `-I${RUNTIME}`, "-o", program, LOADED, "-ldl"];
    expect(spawnSync("gcc", own, { encoding: "utf8" }).stderr).toBe("");
  });

  test.each(Object.keys(TYPES))(
    "finds the way to main from every sample in %s, and none when the code has gone",
    (name) => {
      expect(run(name, "1")).toBe("200 of 200 reached main\n1000 known, 0 behind\n");
    },
  );

  test("finds none where unwinders are not to be told", () => {
    expect(run("face", "0")).toBe("0 of 200 reached main\n0 known, 0 behind\n");
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("no code was loaded", () => expect(hasCompiler).toBe(false));
});
