import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archive, relocatableObject, sharedObject, type ObjectFile } from "../src/index.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;
const UNUSED = { name: "none.o", bytes: relocatableObject({ sections: [], symbols: [] }), symbols: [] };

/**
 * int NAME(void) { return *slot; } and static int NAME2(void) { return value; }, with the slot at the second's code.
 */
function through(name: string, value: number): ObjectFile {
  // jmp [rip + slot]; mov eax, value; ret
  const code = Uint8Array.of(0xff, 0x25, 0, 0, 0, 0, 0xb8, value, 0, 0, 0, 0xc3);
  const slot = { name: `.data.${name}`, kind: "data", alignmentBytes: 8, bytes: new Uint8Array(8) } as const;
  return {
    sections: [
      {
        name: `.text.${name}`,
        kind: "code",
        alignmentBytes: 64,
        bytes: code,
        relocations: [{ kind: "relative32", offsetBytes: 2, section: 1, addend: -4 }],
      },
      { ...slot, relocations: [{ kind: "address64", offsetBytes: 0, section: 0, addend: 6 }] },
    ],
    symbols: [{ name, section: 0, offsetBytes: 0, sizeBytes: code.length }],
  };
}

describe.runIf(hasCompiler)("what is written links and runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "objects-"));
  const at = (name: string) => join(folder, name);
  const run = (flags: readonly string[], libraries: readonly string[], source = "main.c") => {
    const made = spawnSync("gcc", [...flags, "-Wl,--fatal-warnings", "-o", at("main"), at(source), ...libraries], {
      encoding: "utf8",
    });
    return { messages: made.stderr, status: spawnSync(at("main")).status };
  };
  beforeAll(() => {
    writeFileSync(at("main.c"), "int first(void), second(void);\nint main(void) { return first() * 10 + second(); }\n");
    writeFileSync(at("first.o"), relocatableObject(through("first", 4)));
    writeFileSync(at("second.o"), relocatableObject(through("second", 2)));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["-no-pie"],
    ["-pie", "-fPIE"],
    ["-static"],
    ["-static-pie", "-fPIE"],
    ["-Wl,--gc-sections", "-Wl,-z,relro,-z,now"],
  ])("objects in a program made with %s", (...flags) => {
    expect(run(flags, [at("first.o"), at("second.o")])).toEqual({ messages: "", status: 42 });
  });

  test("objects in a shared object", () => {
    const made = spawnSync("gcc", ["-shared", "-Wl,-z,text", "-o", at("libboth.so"), at("first.o"), at("second.o")]);
    expect(made.stderr.toString()).toBe("");
    expect(run([`-Wl,-rpath,${folder}`], [at("libboth.so")])).toEqual({ messages: "", status: 42 });
  });

  test("a static library, with names of every length and members of odd lengths", () => {
    const member = (name: string, file: ObjectFile) => {
      const bytes = relocatableObject(file);
      return { name, bytes, symbols: file.symbols.map((symbol) => symbol.name) };
    };
    const odd = { name: "text", bytes: Uint8Array.of(1, 2, 3), symbols: [] };
    const members = [
      odd,
      member("first.o", through("first", 4)),
      UNUSED,
      member(`${"long".repeat(30)}.o`, through("second", 2)),
    ];
    writeFileSync(at("libboth.a"), archive(members));
    expect(run([], [at("libboth.a")])).toEqual({ messages: "", status: 42 });
    const listed = spawnSync("ar", ["t", at("libboth.a")], { encoding: "utf8" });
    expect(listed.stdout.trim().split("\n")).toEqual(members.map(({ name }) => name));
  });

  test("a shared object of our own, opened by dlopen and linked against", () => {
    const both = { first: through("first", 4), second: through("second", 2) };
    const moved = both.second.sections.map((section) => ({
      ...section,
      relocations: section.relocations.map((each) => ({ ...each, section: each.section + 2 })),
    }));
    const file: ObjectFile = {
      sections: [...both.first.sections, ...moved],
      symbols: [...both.first.symbols, ...both.second.symbols.map((symbol) => ({ ...symbol, section: 2 }))],
    };
    writeFileSync(at("libours.so"), sharedObject(file, "libours.so"));
    const source = `#include <dlfcn.h>
int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "${at("libours.so")}", RTLD_NOW);
  if (!library) return 1;
  int (*first)(void) = (int (*)(void))dlsym(library, "first"), (*second)(void) = (int (*)(void))dlsym(library, "second");
  return first && second && !dlsym(library, "third") ? first() * 10 + second() : 2;
}\n`;
    writeFileSync(at("open.c"), source);
    expect(run([], [], "open.c")).toEqual({ messages: "", status: 42 });
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("nothing was linked", () => expect(hasCompiler).toBe(false));
});
