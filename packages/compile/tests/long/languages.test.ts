import { parseDatatypeText } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { compileTypes, type Language } from "../../src/index.js";
import { goldenTypes } from "../golden/golden-types.js";
import { packedByOffsets } from "../golden/offsets.js";

/** The one that has NumPy: Debian's, or another before it in the path. */
const PYTHON =
  ["/usr/bin/python3", "python3"].find((command) => spawnSync(command, ["-c", "import numpy"]).status === 0) ??
  "python3";
const folder = mkdtempSync(join(tmpdir(), "languages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const COLUMN = parseDatatypeText('{"kind":"vector","count":4,"blocklength":1,"stride":6,"child":"MPI_DOUBLE"}');
const RAGGED = parseDatatypeText('{"kind":"indexed","blocklengths":[3,1,2],"displacements":[8,0,4],"child":"MPI_INT"}');
const FOUR = parseDatatypeText('{"kind":"contiguous","count":4,"child":"MPI_DOUBLE"}');

function write(language: Language): void {
  const types = [
    { symbol: "column", datatype: COLUMN, copiesTo: FOUR },
    { symbol: "other", datatype: FOUR, copiesTo: COLUMN },
  ];
  for (const { ending, bytes } of compileTypes(types, { name: "columns", target: "multi", language }))
    writeFileSync(join(folder, `columns${ending}`), bytes);
}

describe.each(["g++", "clang++"])("offsets of all golden types, by %s", (compiler) => {
  test("pack them, and are known back", () => {
    const types = goldenTypes();
    const { messages, hashes } = packedByOffsets(types, compiler);
    expect(messages).toBe("");
    expect(hashes).toEqual(types.map(({ sha256 }) => sha256));
  }, 300_000);
});

test("a kernel of CUDA that packs as it computes becomes PTX, by clang", () => {
  const types = [{ symbol: "ragged", datatype: RAGGED }];
  for (const { ending, bytes } of compileTypes(types, { name: "ragged", target: "multi", language: "cuda" }))
    writeFileSync(join(folder, `ragged${ending}`), bytes);
  const source = `#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __CUDACC__ 1
#include "ragged.cuh"
__global__ void doubled(const int *source, int *packed, long long elements) {
  for (long long i = 0; i < elements; i++) packed[i] = 2 * source[ragged_offset(4 * i) / 4];
}
`;
  writeFileSync(join(folder, "kernel.cu"), source);
  const flags = [
    "-x",
    "cuda",
    "-nocudainc",
    "-nocudalib",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_75",
    "-std=c++17",
    "-Wno-unknown-cuda-version",
  ];
  const made = spawnSync("clang++", [
    ...flags,
    "-O2",
    "-S",
    "-o",
    join(folder, "kernel.ptx"),
    join(folder, "kernel.cu"),
  ]);
  expect(made.stderr.toString()).toBe("");
  expect(made.status).toBe(0);
});

test("a module of Python launches kernels through libcuda, here a stub of it", () => {
  const gpu = join(folder, "gpu");
  mkdirSync(gpu);
  const listed = parseDatatypeText(
    '{"kind":"indexed_block","blocklength":1,"displacements":[5,0,9],"child":"MPI_DOUBLE"}',
  );
  const types = [
    { symbol: "column", datatype: COLUMN },
    { symbol: "listed", datatype: listed },
  ];
  for (const { ending, bytes } of compileTypes(types, { name: "columns", target: "ptx", language: "python" }))
    writeFileSync(join(gpu, `columns${ending}`), bytes);
  const stub = fileURLToPath(new URL("../ptx/stub-cuda.c", import.meta.url));
  expect(spawnSync("gcc", ["-shared", "-fPIC", "-o", join(gpu, "libcuda.so.1"), stub]).status).toBe(0);
  const env = { ...process.env, PYTHONPATH: gpu, LD_LIBRARY_PATH: gpu };
  const script = fileURLToPath(new URL("../python/use_gpu.py", import.meta.url));
  const ran = spawnSync(PYTHON, [script], { encoding: "utf8", env });
  expect([ran.stderr, ran.stdout.trim()]).toEqual(["", "done"]);
});

test("a module of Python packs NumPy arrays, and refuses what does not fit in one line", () => {
  write("python");
  const script = fileURLToPath(new URL("../python/use.py", import.meta.url));
  const ran = spawnSync(PYTHON, [script], {
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: folder },
  });
  expect([ran.stderr, ran.stdout.trim()]).toEqual(["", "done"]);
});

test("a module's own example runs", () => {
  const types = [
    {
      symbol: "some",
      datatype: parseDatatypeText(
        '{"kind":"resized","lb":-64,"extent":256,"child":{"kind":"hvector","count":3,"blocklength":1,"stride":-24,"child":"MPI_INT"}}',
      ),
    },
  ];
  const files = compileTypes(types, { name: "example_types", target: "multi", language: "python" });
  for (const { ending, bytes } of files) writeFileSync(join(folder, `example_types${ending}`), bytes);
  const text = new TextDecoder().decode(files.find(({ ending }) => ending === ".py")?.bytes);
  const example = /unpacked again:\n\n((?: {4}.*\n|\n)+)/.exec(text)?.[1]?.replace(/^ {4}/gm, "") ?? "raise";
  const ran = spawnSync(PYTHON, ["-c", example], { encoding: "utf8", env: { ...process.env, PYTHONPATH: folder } });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
});

test("no name that a module's functions use may be a symbol", () => {
  const types = [{ symbol: "column", datatype: COLUMN }];
  const globals = `import sys, symtable
def walk(table):
    for each in table.get_symbols():
        if each.is_global() or table.get_type() == "module":
            print(each.get_name())
    for child in table.get_children():
        walk(child)
walk(symtable.symtable(sys.stdin.read(), "module", "exec"))`;
  for (const [target, pages] of [
    ["multi", false],
    ["ptx", false],
    ["ptx", true],
  ] as const) {
    const options = { name: "t", target, language: "python", pages } as const;
    const [text] = compileTypes(types, options).flatMap(({ ending, bytes }) =>
      ending === ".py" ? [new TextDecoder().decode(bytes)] : [],
    );
    const { stdout } = spawnSync(PYTHON, ["-c", globals], { encoding: "utf8", input: text ?? "" });
    const names = new Set(stdout.trim().split("\n"));
    expect(names.size).toBeGreaterThan(10);
    names.delete("column");
    for (const symbol of names)
      expect(() => compileTypes([{ symbol, datatype: COLUMN }], options), symbol).toThrow(/^symbol/);
  }
});

/** Keywords of Fortran, of which none is reserved. */
const FORTRAN_WORDS = `allocate associate block call character class close codimension common complex contains cycle data
deallocate dimension do double else elsewhere end endif entry enum equivalence error event exit external final forall
format function generic go goto if implicit import inquire integer intent interface intrinsic kind len logical module
namelist none nullify only open operator optional parameter pause pointer precision print private procedure program
protected public pure read real recursive result return rewind save select sequence stop submodule subroutine target then
type use value where while write`;

test("Fortran's keywords are symbols, and a module's own example compiles and runs, by gfortran", () => {
  const refused: string[] = [];
  const types = FORTRAN_WORDS.split(/\s+/).flatMap((symbol) => {
    try {
      compileTypes([{ symbol, datatype: COLUMN }], { name: "words", target: "x86-64", language: "fortran" });
      return [{ symbol, datatype: COLUMN }];
    } catch {
      refused.push(symbol);
      return [];
    }
  });
  // Words of C, C++ and Python, too.
  expect(refused.length).toBeLessThan(30);
  const below = parseDatatypeText(
    '{"kind":"resized","lb":-64,"extent":256,"child":{"kind":"hvector","count":3,"blocklength":1,"stride":-24,"child":"MPI_INT"}}',
  );
  for (const each of [types, [{ symbol: "below", datatype: below }]]) {
    const files = compileTypes(each, { name: "words", target: "multi", language: "fortran" });
    for (const { ending, bytes } of files) writeFileSync(join(folder, `words${ending}`), bytes);
    const [code, module] = files;
    const text = new TextDecoder().decode(module?.bytes);
    const example = text
      .slice(0, text.indexOf("\nmodule "))
      .match(/^!   .*$/gm)
      ?.map((line) => line.slice(4))
      .join("\n");
    writeFileSync(join(folder, "example.f90"), `${example}\n`);
    const inputs = [
      join(folder, "words_module.f90"),
      join(folder, "example.f90"),
      join(folder, `words${code?.ending}`),
    ];
    const flags = ["-std=f2018", "-Wall", "-Werror", "-fcheck=all", `-J${folder}`, "-o", join(folder, "words")];
    expect(spawnSync("gfortran", [...flags, ...inputs], { encoding: "utf8" }).stderr).toBe("");
    const ran = spawnSync(join(folder, "words"), { encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
  }
});
