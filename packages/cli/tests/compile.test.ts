import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgram } from "../src/program.js";
import { runProgram } from "../src/run-program.js";

const COLUMN = '{"kind":"vector","count":8,"blocklength":1,"stride":5,"child":"MPI_DOUBLE"}';
let folder = "";
let out = "";
let err = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-compile-"));
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const compile = (...args: string[]) => runProgram(createProgram(), ["node", "stowage", "compile", ...args]);
const written = () => readdirSync(folder).toSorted();
const at = (name: string) => join(folder, name);

test("one type gives an object and a header that are called alike", async () => {
  expect(await compile(COLUMN, "-o", at("my-column"))).toBe(0);
  expect(written()).toEqual(["my-column.h", "my-column.o"]);
  const header = readFileSync(at("my-column.h"), "utf8");
  for (const part of ["void my_column_pack(", "void my_column_unpack(", "#define my_column_size INT64_C(64)", COLUMN])
    expect(header).toContain(part);
  expect(out).toContain("my-column.o");
});

test("several types give a library, each under its own name; the same command gives the same bytes", async () => {
  writeFileSync(at("from-file.json"), COLUMN);
  const types = ["MILC_su3_zdown/0", "MPI_DOUBLE_INT", `@${at("from-file.json")}`, COLUMN];
  expect(await compile(...types, "-o", at("all"))).toBe(0);
  const header = readFileSync(at("all.h"), "utf8");
  for (const name of ["MILC_su3_zdown_0", "MPI_DOUBLE_INT", "from_file", "all_3"])
    expect(header).toContain(`void ${name}_pack(`);
  const first = readFileSync(at("all.a"));
  expect(await compile(...types, "-o", at("all"))).toBe(0);
  expect(readFileSync(at("all.a")).equals(first)).toBe(true);
});

test("a copy to another type, and a Fortran module", async () => {
  const rows = '{"kind":"contiguous","count":8,"child":"MPI_DOUBLE"}';
  expect(await compile(COLUMN, "--copy-to", rows, "--language", "fortran", "-o", at("column"))).toBe(0);
  expect(written()).toEqual(["column.o", "column_module.f90"]);
  expect(readFileSync(at("column_module.f90"), "utf8")).toContain('bind(C, name="column_copy")');
});

const table = JSON.stringify({
  kind: "hindexed_block",
  blocklength: 1,
  displacements: [0, 3],
  child: { kind: "struct", blocklengths: [], displacements: [], children: [] },
});

test.each<[string, readonly string[], string]>([
  ["a symbol that is no identifier", [COLUMN, "--symbol", "9lives"], "stowage: symbol: expected a C identifier"],
  ["a symbol of two words", [COLUMN, "--symbol", "a b"], "stowage: symbol: expected a C identifier"],
  [
    "the same symbol twice",
    [COLUMN, COLUMN, "--symbol", "a", "--symbol", "a"],
    "expected one of its own for each type",
  ],
  ["one workload twice", ["NAS_LU_x/0", "NAS_LU_x/0"], "got NAS_LU_x_0 twice"],
  ["fewer symbols than types", [COLUMN, table, "--symbol", "a"], "--symbol: expected once for each of 2 types, got 1"],
  ["a copy of another size", [COLUMN, "--copy-to", "MPI_INT"], "target of a copy: expected 64 bytes an element"],
  ["no datatype", ["MILC"], "stowage: "],
  ["too long a name for Fortran", [COLUMN, "--language", "fortran", "--symbol", "s".repeat(60)], "symbol for Fortran"],
])("%s: one line, exit 2, nothing written", async (_, args, message) => {
  expect(await compile(...args, "-o", at("x"))).toBe(2);
  expect(err).toContain(message);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(written()).toEqual([]);
});

test("a type that nests deeper than a program follows is refused", async () => {
  const nested = Array.from({ length: 501 }).reduce<object | string>(
    (child) => ({
      kind: "hindexed_block",
      blocklength: 1,
      displacements: [0, 300, 1001],
      child: { kind: "dup", child },
    }),
    "MPI_INT",
  );
  expect(await compile(JSON.stringify(nested), "-o", at("x"))).toBe(2);
  expect(err).toMatch(/^stowage: .*expected.*got.*\n$/);
  expect(written()).toEqual([]);
});

test("a type of more numbers than a header's tables may hold is refused", async () => {
  const displacements = Array.from({ length: 500_000 }, (_, i) => 3 * i + (i % 7 === 0 ? 1 : 0));
  writeFileSync(
    at("numbers.json"),
    JSON.stringify({ kind: "indexed_block", blocklength: 1, displacements, child: "MPI_INT" }),
  );
  expect(await compile(`@${at("numbers.json")}`, "--language", "c++", "-o", at("numbers"))).toBe(2);
  expect(err).toBe("stowage: tables of numbers: expected at most 1048576 numbers in a header, got more\n");
  expect(written()).toEqual(["numbers.json"]);
});

test("an output that cannot be written: one line, exit 2, and not the other file alone", async () => {
  writeFileSync(at("none"), "");
  expect(await compile(COLUMN, "-o", at("none/x"))).toBe(2);
  expect(err).toMatch(/^stowage: .*--out: expected .*, got .*\n$/);
  err = "";
  mkdirSync(at("x.h"));
  expect(await compile(COLUMN, "-o", at("x"))).toBe(2);
  expect(err).toContain("--out: expected a file, got the directory");
  expect(written()).toEqual(["none", "x.h"]);
});
