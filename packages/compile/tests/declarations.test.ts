import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArgumentError, hvector, indexedBlock, predefined, resized, vector } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { compileTypes } from "../src/index.js";

const column = vector(3, 1, 4, predefined("MPI_DOUBLE"));

test.each([
  "import",
  "class",
  "None",
  "ctypes",
  "os",
  "int",
  "namespace",
  "def",
  "Datatype",
  "_Bool",
  "__x",
  "_own",
  "co_await",
  "lambda",
])("a type is not called %s, which a language that it is declared in knows otherwise", (symbol) => {
  const options = { name: "types", target: "x86-64", language: "c" } as const;
  expect(() => compileTypes([{ symbol, datatype: column }], options)).toThrow(
    new ArgumentError("symbol", "a name that C, C++ and Python leave free", symbol),
  );
  expect(compileTypes([{ symbol: `x_${symbol}`, datatype: column }], options).length).toBe(2);
});

test.each([
  ["c", ".h"],
  ["c++", ".hpp"],
  ["cuda", ".cuh"],
  ["fortran", "_module.f90"],
] as const)("a header in %s holds the beginning of a long document, and says how long it is", (language, ending) => {
  const places = Int32Array.from({ length: 20_000 }, (_, i) => 2 * i + (i % 3));
  const long = { symbol: "far", datatype: indexedBlock(1, places, predefined("MPI_INT")) };
  const files = compileTypes([long, { symbol: "near", datatype: column }], { name: "t", target: "x86-64", language });
  const text = new TextDecoder().decode(files.find((file) => file.ending === ending)?.bytes);
  const comments = text.split("\n").filter((line) => /^( \*|\/\*| *!)/.test(line));
  expect(comments.join("\n").length).toBeLessThan(10_000);
  expect(text).toMatch(/\.\.\. \(\d{6} characters of JSON in all\)/);
  expect(text).toMatch(/^ *[*!] \{"kind":"vector","count":3,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"\}$/m);
});

test("a module of Python keeps a document that is not too long", () => {
  const places = Int32Array.from({ length: 20_000 }, (_, i) => 2 * i + (i % 3));
  const types = [
    { symbol: "far", datatype: indexedBlock(1, places, predefined("MPI_INT")) },
    { symbol: "near", datatype: column },
  ];
  for (const target of ["x86-64", "ptx"] as const) {
    const files = compileTypes(types, { name: "t", target, language: "python" });
    const text = new TextDecoder().decode(files.find(({ ending }) => ending === ".py")?.bytes);
    expect(text.match(/"document": (None|")/g)).toEqual(['"document": None', '"document": "']);
  }
});

test("names that functions of a module use are no symbols in Python, and are ones elsewhere", () => {
  const types = [{ symbol: "max", datatype: column }];
  expect(() => compileTypes(types, { name: "t", target: "x86-64", language: "python" })).toThrow(
    new ArgumentError("symbol for Python", "a name that functions of the module do not use", "max"),
  );
  expect(compileTypes(types, { name: "t", target: "x86-64", language: "c" }).length).toBe(2);
});

test("two symbols whose names would meet are refused", () => {
  const types = ["x", "x_true"].map((symbol) => ({ symbol, datatype: column }));
  expect(() => compileTypes(types, { name: "t", target: "x86-64", language: "c" })).toThrow(
    new ArgumentError("symbols", "names of their own for each", "x_true_extent of both x and x_true"),
  );
});

test.each(["python", "c++", "cuda", "artifact"] as const)("hidden functions are none of %s", (language) => {
  const options = { name: "t", target: "multi", language, visibility: "hidden" } as const;
  expect(() => compileTypes([{ symbol: "column", datatype: column }], options)).toThrow(
    `language of hidden functions: expected c or fortran, for processors, got ${language}, multi`,
  );
});

const hasCompilers = ["gcc", "g++"].every((compiler) => spawnSync(compiler, ["--version"]).status === 0);

/** The indented lines of a file's first comment: its example. */
export const exampleIn = (text: string, mark: string): string =>
  text
    .slice(0, text.search(/^(#ifndef|module )/m))
    .split("\n")
    .filter((line) => line.startsWith(`${mark}   `) || line === mark)
    .map((line) => line.slice(mark.length + 3))
    .join("\n");

describe.runIf(hasCompilers)("the example that a header begins with", () => {
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  const at = (name: string) => join(folder, name);
  afterAll(() => rmSync(folder, { recursive: true }));
  const compiled = (compiler: string, args: readonly string[]): string =>
    spawnSync(compiler, [...args, "-Wall", "-Wextra", "-Wpedantic", "-Werror"], { encoding: "utf8" }).stderr;

  test.each([
    ["a column", "default", column],
    ["a column that is hidden", "hidden", column],
    ["bytes before address 0", "default", resized(-64, 256, hvector(3, 1, -24, predefined("MPI_INT")))],
    ["nothing", "default", vector(0, 1, 1, predefined("MPI_INT"))],
  ] as const)("of %s compiles as C and C++, and runs", (_, visibility, datatype) => {
    const options = { name: "types", target: "multi", language: "c", visibility } as const;
    const files = compileTypes([{ symbol: "some", datatype }], options);
    for (const { ending, bytes } of files) writeFileSync(at(`types${ending}`), bytes);
    const example = exampleIn(new TextDecoder().decode(files[1]?.bytes), " *");
    expect(example).toContain('#include "types.h"');
    writeFileSync(at("example.c"), `${example}\n`);
    for (const [compiler, ...flags] of [
      ["gcc", "-std=c99"],
      ["g++", "-x", "c++", "-std=c++11"],
    ] as const) {
      const inputs = [at("example.c"), "-x", "none", at("types.o")];
      expect(
        compiled(compiler, [...flags, `-I${folder}`, "-fsanitize=address,undefined", "-o", at("example"), ...inputs]),
      ).toBe("");
      const { status, stderr } = spawnSync(at("example"), { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    }
  });

  test("of offsets compiles as C++", () => {
    const [header] = compileTypes([{ symbol: "some", datatype: column }], {
      name: "types",
      target: "multi",
      language: "c++",
    });
    writeFileSync(at("types.hpp"), header?.bytes ?? "");
    writeFileSync(at("example.cpp"), `${exampleIn(new TextDecoder().decode(header?.bytes), " *")}\n`);
    expect(compiled("g++", ["-std=c++14", `-I${folder}`, "-c", "-o", at("example.o"), at("example.cpp")])).toBe("");
  });
});
