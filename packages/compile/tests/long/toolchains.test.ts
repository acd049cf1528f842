import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexed, predefined, vector } from "@stowage/ir";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileTypes, type Language, type NamedDatatype } from "../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "toolchains-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: folder });
  return { status, text: `${stdout ?? ""}${stderr ?? ""}` };
};
const has = (command: string): boolean => run(command, "--version").status === 0;

const column: NamedDatatype = { symbol: "column", datatype: vector(8, 1, 5, predefined("MPI_DOUBLE")) };
const ragged: NamedDatatype = { symbol: "ragged", datatype: indexed([3, 1, 2], [8, 0, 4], predefined("MPI_INT")) };
const USE = `#include "column.h"
#include "both.h"
#include <string.h>
int main(void) {
  double matrix[40], packed[8], again[8];
  for (int i = 0; i < 40; i++) matrix[i] = i;
  column_pack(matrix, packed, 1, 0, column_size);
  column_pack_element(matrix, again);
  int few[12], part[6];
  for (int i = 0; i < 12; i++) few[i] = i;
  ragged_pack(few, part, 1, 0, ragged_size);
  return memcmp(packed, again, sizeof packed) || packed[7] != 35 || part[0] != 8 || part[3] != 0 || part[5] != 5;
}
`;

function write(name: string, types: readonly NamedDatatype[], language: Language = "c", hidden = false): void {
  const options = { name, target: "multi", language, visibility: hidden ? "hidden" : "default" } as const;
  for (const { ending, bytes } of compileTypes(types, options)) writeFileSync(at(`${name}${ending}`), bytes);
}

beforeAll(() => {
  write("column", [column]);
  write("hidden", [column], "c", true);
  write("both", [{ ...column, symbol: "other" }, ragged]);
  write("module", [column, ragged], "python");
  writeFileSync(at("use.c"), USE);
});

const strict = ["-Wall", "-Wextra", "-Werror", "-Wl,--fatal-warnings"];
const LINKS: readonly (readonly [string, ...string[]])[] = [
  ["gcc", "-no-pie"],
  ["gcc", "-pie", "-fPIE"],
  ["gcc", "-static"],
  ["gcc", "-static-pie", "-fPIE"],
  ["gcc", "-flto", "-O2"],
  ["gcc", "-Wl,-z,separate-code"],
  ["gcc", "-Wl,-z,noexecstack"],
  ["gcc", "-Wl,-z,text,-z,now,-z,relro,--gc-sections"],
  ["gcc", "-fuse-ld=lld"],
  ["gcc", "-fuse-ld=lld", "-static-pie", "-fPIE"],
  ["gcc", "-fuse-ld=gold"],
  ["gcc", "-fuse-ld=gold", "-static"],
  ["gcc", "-fuse-ld=mold"],
  ["gcc", "-fuse-ld=mold", "-static"],
  ["clang"],
  ["clang", "-fuse-ld=lld", "-flto", "-O2"],
  ["musl-gcc"],
  ["musl-gcc", "-static"],
  ["musl-gcc", "-static-pie", "-fPIE"],
];
const isThere = ([compiler, ...flags]: readonly string[]): boolean =>
  has(compiler as string) &&
  flags.every((flag) => !flag.startsWith("-fuse-ld=") || has(flag.replace("-fuse-ld=", "ld.")));

describe("programs that are linked without a warning, and run", () => {
  test.each(LINKS.filter(isThere).map((link) => [link.join(" "), link] as const))("%s", (_, [compiler, ...flags]) => {
    expect(run(compiler, ...strict, ...flags, "-o", "use", "use.c", "column.o", "both.a").text).toBe("");
    expect(run(at("use")).status).toBe(0);
  });

  test("of objects that were linked, stripped and renamed before", () => {
    const changes: readonly (readonly [string, ...string[]])[] = [
      ["ld", "-r", "-o", "changed.o", "column.o"],
      ["strip", "-g", "-o", "changed.o", "column.o"],
      ["strip", "--strip-unneeded", "-o", "changed.o", "column.o"],
      ["objcopy", "--remove-section=.comment", "column.o", "changed.o"],
    ];
    for (const [command, ...args] of changes) {
      expect(run(command, ...args)).toEqual({ status: 0, text: "" });
      expect(run("gcc", ...strict, "-o", "use", "use.c", "changed.o", "both.a").text).toBe("");
      expect(run(at("use")).status).toBe(0);
    }
  });

  test.runIf(has("dwz") && has("debugedit"))("whose debug information dwz and debugedit rewrite", () => {
    expect(run("gcc", "-g", "-o", "use", "use.c", "column.o", "both.a").text).toBe("");
    expect(run("dwz", "use")).toEqual({ status: 0, text: "" });
    expect(run("debugedit", "-b", folder, "-d", "/usr/src/debug", "use").status).toBe(0);
    expect(run(at("use")).status).toBe(0);
  });
});

describe("what checks of distributions ask", () => {
  test("IBT and SHSTK are kept where everything that is linked has them", () => {
    expect(
      run("ld", "-r", "-z", "cet-report=error", "-o", "joined.o", "column.o", "hidden.o", "--allow-multiple-definition")
        .text,
    ).toBe("");
    expect(run("ld", "-shared", "-z", "cet-report=error", "-o", "lib.so", "column.o").text).toBe("");
    expect(run("gcc", "-fcf-protection=full", "-c", "-fPIC", "use.c").text).toBe("");
    expect(run("ld", "-shared", "-z", "cet-report=error", "-o", "all.so", "use.o", "column.o", "both.a").text).toBe("");
    for (const name of ["joined.o", "lib.so", "all.so", "module_code.so"])
      expect(run("readelf", "-n", name).text).toMatch(/x86 feature: IBT, SHSTK/);
  });

  test("no stack is executable, no code relocated, nothing both written and executed", () => {
    expect(run("gcc", "-shared", "-Wl,-z,text,--fatal-warnings", "-o", "lib.so", "column.o").text).toBe("");
    for (const name of ["lib.so", "module_code.so"]) {
      const segments = run("readelf", "-lW", name).text;
      expect(segments).toMatch(/GNU_STACK .* RW +0x10$/m);
      expect(segments).not.toMatch(/ RWE /);
      expect(segments).toContain("GNU_RELRO");
      expect(run("readelf", "-d", name).text).not.toContain("TEXTREL");
    }
    expect(run("readelf", "-d", "module_code.so").text).toContain("BIND_NOW");
  });

  test("hidden functions leave a library by no symbol", () => {
    expect(run("gcc", "-shared", "-o", "lib.so", "hidden.o").text).toBe("");
    expect(run("nm", "-D", "--defined-only", "lib.so").text).toBe("");
  });

  test("readelf warns of nothing, and eu-elflint finds no fault", () => {
    for (const name of ["column.o", "hidden.o", "both.a", "module_code.so"]) {
      expect(run("readelf", "-aW", "--debug-dump=frames", name).text).not.toMatch(/warning|error:/i);
      if (has("eu-elflint")) expect(run("eu-elflint", "--gnu", name).text).toMatch(/No errors\n$/);
    }
  });

  test("archives hold no dates and no owners, as deterministic ones do", () => {
    expect(run("ar", "tv", "both.a").text).toMatch(/^rw-r--r-- 0\/0 +\d+ Jan +1 00:00 1970 other\.o\nrw-r--r-- 0\/0 /);
    const before = readFileSync(at("both.a"));
    expect(run("ranlib", "-D", "both.a").status).toBe(0);
    expect(run("ar", "t", "both.a").text).toBe("other.o\nragged.o\n");
    writeFileSync(at("both.a"), before);
  });
});

test("what was skipped is said", () => {
  const missing = LINKS.filter((link) => !isThere(link)).map((link) => link.join(" "));
  const tools = ["eu-elflint", "dwz", "debugedit"].filter((tool) => !has(tool));
  if (missing.length + tools.length > 0) console.warn(`not there: ${[...missing, ...tools].join(", ")}`);
  expect(LINKS.length - missing.length).toBeGreaterThan(7);
});
