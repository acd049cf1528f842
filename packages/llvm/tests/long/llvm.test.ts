import { describe, expect, test } from "vitest";
import {
  findLibrary,
  isLibraryInstalled,
  libraryNames,
  Llvm,
  LlvmError,
  TRIED_VERSIONS,
  type FoundLibrary,
} from "../../src/index.js";

const TEXT = `
define i64 @twice(i64 %x) {
  %sum = add i64 %x, %x
  ret i64 %sum
}`;
// e_machine of the ELF header: System V ABI, chapter 4.
const MACHINES = { "x86_64-linux-gnu": 62, "aarch64-linux-gnu": 183, "riscv64-linux-gnu": 243 };

const found = TRIED_VERSIONS.flatMap((version) => installed(version) ?? []);

function installed(version: number): FoundLibrary | undefined {
  for (const name of libraryNames(version)) {
    try {
      return findLibrary(name);
    } catch (error) {
      if (!(error instanceof LlvmError)) throw error;
    }
  }
  return undefined;
}

test.skipIf(found.length > 0)("no libLLVM is installed: nothing of it is tested here", () => expect(found).toEqual([]));

test("whether one is there is known without loading it", () => expect(isLibraryInstalled()).toBe(found.length > 0));

describe.each(found.map((library) => [library.version, library] as const))("libLLVM %d", (version, library) => {
  const llvm = new Llvm(library);

  test("says its version", () => expect(llvm.version).toBe(version));

  test.each(Object.entries(MACHINES))("writes an object file for %s", (triple, machine) => {
    using module = llvm.parse(TEXT);
    using target = llvm.targetMachine({ triple });
    module.verify();
    module.setTarget(target);
    module.run("default<O2>", target);
    const object = target.object(module);
    expect(new DataView(object.buffer).getUint16(18, true)).toBe(machine);
    expect(target.dataLayout()).toMatch(/^e-/);
  });

  test("optimises: two additions of the same are one shift or one addition", () => {
    using module = llvm.parse(TEXT.replace("%sum = add i64 %x, %x", "%y = add i64 %x, 0\n %sum = add i64 %y, %x"));
    using target = llvm.targetMachine({ triple: llvm.hostTriple });
    expect(module.print()).toContain("add i64 %x, 0");
    module.run("function(instcombine)", target);
    expect(module.print()).not.toContain("add i64 %x, 0");
  });

  test("links what it wrote for the host into this process", () => {
    using module = llvm.parse(TEXT);
    using target = llvm.targetMachine({ triple: llvm.hostTriple });
    module.setTarget(target);
    using jit = llvm.jit();
    jit.add(target.object(module));
    expect(jit.lookup("twice")).toBeGreaterThan(0);
    expect(() => jit.lookup("thrice")).toThrow(/^symbol thrice: expected a definition, got [^\n]+$/);
  });

  test.each([
    [
      "text that is no module",
      () => llvm.parse("define foo"),
      /^IR of module: expected a module, got module:1:8: [^\n]+$/,
    ],
    [
      "a module that does not verify",
      () => {
        using module = llvm.parse(
          "define void @f() {\nentry:\n br label %next\nnext:\n %v = phi i64 [ 0, %next ]\n ret void\n}",
        );
        module.verify();
      },
      /^module: expected one that verifies, got [^\n]+$/,
    ],
    [
      "a triple that does not exist",
      () => llvm.targetMachine({ triple: "no-such-thing" }),
      /^target no-such-thing: expected [^\n]+$/,
    ],
    [
      "a pass that does not exist",
      () => {
        using module = llvm.parse(TEXT);
        using target = llvm.targetMachine({ triple: llvm.hostTriple });
        module.run("no-such-pass", target);
      },
      /^passes no-such-pass: expected a pipeline of LLVM, got [^\n]+$/,
    ],
    [
      "what is disposed of",
      () => {
        const module = llvm.parse(TEXT);
        module[Symbol.dispose]();
        module[Symbol.dispose]();
        module.print();
      },
      /^module: expected one in use, got a disposed one$/,
    ],
  ])("refuses %s in one line", (_, attempt, line) => {
    expect(attempt).toThrow(LlvmError);
    expect(attempt).toThrow(line);
  });

  test("a thousand modules and machines that are disposed of leave no memory behind", () => {
    const once = (): void => {
      using module = llvm.parse(TEXT);
      using target = llvm.targetMachine({ triple: llvm.hostTriple });
      module.setTarget(target);
      target.object(module);
    };
    for (let i = 0; i < 100; i++) once();
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 1000; i++) once();
    // Each would hold 100 KiB and more.
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 2 ** 20);
  });
});
