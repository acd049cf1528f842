import { hvector, parseDatatypeText, predefined } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileTypes } from "../../src/index.js";

const [TOKENS, HEADS, HEAD] = [4, 3, 8];
const byte = predefined("MPI_BYTE");
/** A page of tokens, in the order of its heads; and as it lies then. */
const byHeads = hvector(HEADS, 1, HEAD, hvector(TOKENS, HEAD, HEADS * HEAD, byte));
const page = parseDatatypeText(`{"kind":"contiguous","count":${TOKENS * HEADS * HEAD},"child":"MPI_BYTE"}`);
const kv = { symbol: "kv", datatype: byHeads, copiesTo: page };
const options = { name: "kv", target: "ptx", language: "python", pages: true } as const;

const hasTools =
  spawnSync("gcc", ["--version"]).status === 0 && spawnSync("python3", ["-c", "import numpy"]).status === 0;

describe.runIf(hasTools)("copies of pages from Python", () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("take what has DLPack or an interface, on the current stream, and refuse what they cannot copy", () => {
    for (const { ending, bytes } of compileTypes([kv], options)) writeFileSync(join(folder, `kv${ending}`), bytes);
    const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const stub = ["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", join(folder, "libcuda.so.1")];
    const made = spawnSync("gcc", [...stub, here("stub-cuda.c")], { encoding: "utf8" });
    expect(made.stderr).toBe("");
    const env = { ...process.env, PYTHONPATH: folder, LD_LIBRARY_PATH: folder };
    const ran = spawnSync("python3", [here("../python/use_pages.py")], { encoding: "utf8", env });
    expect([ran.stderr, ran.stdout.trim()]).toEqual(["", "done"]);
  });
});

describe.runIf(hasTools)("copies of pages from C++", () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  const at = (name: string): string => join(folder, name);
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const run = (fails = "") =>
    spawnSync(at("use"), [], { encoding: "utf8", env: { ...process.env, STUB_FAILS: fails } });
  beforeAll(() => {
    for (const { ending, bytes } of compileTypes([kv], { ...options, language: "c++" }))
      writeFileSync(at(`kv${ending}`), bytes);
    const made = spawnSync("gcc", ["-shared", "-fPIC", "-o", at("libcuda.so"), here("stub-cuda.c")], {
      encoding: "utf8",
    });
    expect(made.stderr).toBe("");
    const warnings = ["-std=c++14", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    const places = [`-I${folder}`, `-L${folder}`, "-lcuda", `-Wl,-rpath,${folder}`];
    const built = spawnSync("g++", [...warnings, "-o", at("use"), here("use-pages.cpp"), ...places], {
      encoding: "utf8",
    });
    expect(built.stderr).toBe("");
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test("take pointers and a stream, in pools of any number, and tell of wrong entries", () => {
    const { stdout } = run();
    expect(stdout.trim()).toBe("0 wrong");
  });

  test.each(["cuModuleLoadData", "cuModuleGetFunction", "cuMemHostAlloc"])("say so where %s fails", (call) => {
    const { stdout, status } = run(call);
    expect([stdout.trim(), status]).toEqual(["load: 2", 3]);
  });
});

test.each([
  [{ ...options, language: "c" } as const, [kv], "language of pages: expected python or c++, got c"],
  [{ ...options, target: "multi" } as const, [kv], "target of pages: expected ptx, got multi"],
  [options, [kv, { ...kv, symbol: "other" }], "pages: expected one datatype, got 2"],
])("%o are refused in a line", (given, types, message) => {
  expect(() => compileTypes(types, given)).toThrow(message);
});
