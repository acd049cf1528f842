import { parseDatatypeText } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileTypes } from "../../src/index.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const TYPES = {
  column: '{"kind":"vector","count":8,"blocklength":1,"stride":5,"child":"MPI_DOUBLE"}',
  bytes: '{"kind":"vector","count":3,"blocklength":3,"stride":7,"child":"MPI_BYTE"}',
  listed: '{"kind":"indexed_block","blocklength":1,"displacements":[5,0,9],"child":"MPI_DOUBLE"}',
};
const named = Object.entries(TYPES).map(([symbol, text]) => ({ symbol, datatype: parseDatatypeText(text) }));

describe.runIf(hasCompiler)("kernels for GPUs in a C program", () => {
  const folder = mkdtempSync(join(tmpdir(), "ptx-"));
  const at = (name: string) => join(folder, name);
  const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const gcc = (...args: string[]) => {
    const made = spawnSync("gcc", ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", ...args], {
      encoding: "utf8",
    });
    expect(made.stderr).toBe("");
  };
  const run = (fails = "") =>
    spawnSync(at("use"), [], { encoding: "utf8", env: { ...process.env, STUB_FAILS: fails } });
  beforeAll(() => {
    for (const { ending, bytes } of compileTypes(named, { name: "types", target: "ptx", language: "c" }))
      writeFileSync(at(`types${ending}`), bytes);
    gcc("-shared", "-fPIC", "-Wno-conversion", "-o", at("libcuda.so"), here("stub-cuda.c"));
    const sources = [here("use.c"), here("host-memory.c"), at("types.c")];
    gcc(`-I${folder}`, "-o", at("use"), ...sources, `-L${folder}`, "-lcuda", `-Wl,-rpath,${folder}`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("launch what packs and unpacks any range at any alignment, on a stub of libcuda", () => {
    const { stdout, stderr } = run();
    expect([stderr, stdout.trim()]).toEqual(["", "0 wrong"]);
  });

  test.each(["cuModuleLoadData", "cuModuleGetFunction", "cuMemAlloc", "cuMemcpyHtoD"])(
    "where %s fails, loading says so and keeps nothing",
    (call) => {
      const { stderr, status } = run(call);
      expect([stderr.trim(), status]).toEqual(["load: 2", 3]);
    },
  );

  test("are for compute capability 7.5 and up", () => {
    const text = readFileSync(at("types.ptx"), "utf8");
    expect(text.match(/\.target sm_\d+/g)?.every((target) => target === ".target sm_75")).toBe(true);
  });
});

test("another language, and a copy, are refused in one line", () => {
  const [column] = named;
  if (column === undefined) throw new Error("unreachable");
  const options = { name: "x", target: "ptx" } as const;
  expect(() => compileTypes([column], { ...options, language: "fortran" })).toThrow(
    "language for ptx: expected c or python",
  );
  const copied = { ...column, copiesTo: column.datatype };
  expect(() => compileTypes([copied], { ...options, language: "c" })).toThrow("functions for ptx: expected packs");
});
