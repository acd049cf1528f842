import { ArtifactError } from "@stowage/backend-api";
import { describe, expect, test } from "vitest";
import { link } from "../../src/index.js";
import { elfFile, type Described } from "./elf-file.js";

const [X86_64, AARCH64, RISCV] = [62, 183, 243];
const NO_SYMBOL = { name: "", section: 0, offset: 0 };

/** Code of zeros, or of given words, with a symbol at its start and one at `there`. */
function described(
  machine: number,
  there: number,
  relocations: Described["relocations"],
  words: readonly number[] = [],
): Described {
  const code = new Uint8Array(0x3000);
  words.forEach((value, i) => new DataView(code.buffer).setUint32(4 * i, value, true));
  const symbols = [NO_SYMBOL, { name: "start", section: 1, offset: 0 }, { name: "there", section: 1, offset: there }];
  return { machine, code, symbols, relocations };
}

const wordsOf = (file: Described, count: number): readonly number[] => {
  const view = new DataView(link(elfFile(file)).bytes.buffer);
  return Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
};

const to = (type: number, offset: number, addend = 0) => ({ type, offset, symbol: 2, addend });

// What GNU objdump disassembles from the words is written beside each.
describe("relocations are relative to where they stand", () => {
  test("x86-64: distances of 32 bits", () => {
    expect(wordsOf(described(X86_64, 0x2010, [to(2, 4, -4), to(4, 8, -4)]), 3)).toEqual([0, 0x2008, 0x2004]);
  });

  test("AArch64: pages, their lower bits, branches", () => {
    const words = [0x90000000, 0x91000000, 0x94000000, 0x3dc00000];
    const fixes = [to(275, 0), to(277, 4), to(283, 8), to(299, 12)];
    // adrp x0, 2000; add x0, x0, #0x10; bl 2010; ldr q0, [x0, #16]
    expect(wordsOf(described(AARCH64, 0x2010, fixes, words), 4)).toEqual([
      0xd0000000, 0x91004000, 0x94000802, 0x3dc00400,
    ]);
  });

  test("RISC-V: upper halves, and lower ones that name them", () => {
    const file = described(
      RISCV,
      0x2810,
      [to(23, 0), { type: 24, offset: 4, symbol: 1, addend: 0 }, to(19, 8)],
      [0x517, 0x50513, 0x97, 0x80e7],
    );
    // auipc a0, 0x3; addi a0, a0, -2032; auipc ra, 0x3; jalr -2040(ra)
    expect(wordsOf(file, 4)).toEqual([0x3517, 0x81050513, 0x3097, 0x808080e7]);
  });
});

test("symbols are named by where they lie", () => {
  const { machine, symbols } = link(elfFile(described(X86_64, 0x2010, [])));
  expect(machine).toBe(X86_64);
  expect(Object.fromEntries(symbols)).toEqual({ start: 0, there: 0x2010 });
});

describe("an object file that cannot be linked is refused in one line", () => {
  const whole = elfFile(described(X86_64, 0x2010, [to(2, 4)]));
  const foreign = described(X86_64, 0x2010, []);
  test.each([
    ["something else", new Uint8Array(100), /expected a 64-bit little-endian ELF object, got something else$/],
    ["nothing", new Uint8Array(0), /got something else$/],
    ["one that is cut short", whole.subarray(0, whole.length - 100), /expected a whole one, got one that ends early/],
    [
      "another processor's",
      elfFile(described(40, 0, [to(2, 4)])),
      /expected one for x86-64, AArch64 or RISC-V, got one for machine 40$/,
    ],
    [
      "an absolute address",
      elfFile(described(X86_64, 0, [to(1, 4)])),
      /expected relocations relative to their place, got type 1 of machine 62$/,
    ],
    [
      "what it does not define",
      elfFile({
        ...foreign,
        symbols: [NO_SYMBOL, { name: "memcpy", section: 0, offset: 0 }],
        relocations: [{ type: 4, offset: 0, symbol: 1, addend: 0 }],
      }),
      /expected symbols that it defines, got memcpy$/,
    ],
    [
      "a lower half alone",
      elfFile(described(RISCV, 0, [to(24, 4)])),
      /expected an upper half for each lower one, got none at byte 0$/,
    ],
  ])("%s", (_, file, message) => {
    expect(() => link(file)).toThrow(ArtifactError);
    expect(() => link(file)).toThrow(message);
  });
});
