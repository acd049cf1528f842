import { hvector, parseDatatypeText, predefined } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
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

test.each([
  [{ ...options, language: "c" } as const, [kv], "language of pages: expected python, got c"],
  [{ ...options, target: "multi" } as const, [kv], "target of pages: expected ptx, got multi"],
  [options, [kv, { ...kv, symbol: "other" }], "pages: expected one datatype, got 2"],
])("%o are refused in a line", (given, types, message) => {
  expect(() => compileTypes(types, given)).toThrow(message);
});
