import { ArtifactError } from "@stowage/backend-api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { link } from "../../src/index.js";
import { elfFile, type Described } from "./elf-file.js";

const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);
const FUZZED = 20_000;
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
  const headers = Number(new DataView(whole.buffer).getBigUint64(40, true));
  const [CODE, SYMBOLS] = [headers + 64, headers + 128];
  function changed(at: number, value: bigint, [typeAt, type]: readonly [number, number] = [0, 0]): Uint8Array {
    const file = whole.slice();
    const view = new DataView(file.buffer);
    view.setBigUint64(at, value, true);
    if (typeAt > 0) view.setUint32(typeAt, type, true);
    return file;
  }
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
      "a relocation past its section",
      elfFile(described(X86_64, 0, [to(2, 0x2ffd)])),
      /expected relocations within their section of 12288 bytes, got one at byte 12285$/,
    ],
    [
      "a symbol past its section",
      elfFile(described(X86_64, 0x3001, [])),
      /expected symbols within their section of 12288 bytes, got one at byte 12289$/,
    ],
    ["a section of 2^40 bytes", changed(CODE + 32, 2n ** 40n), /expected sections inside the file, got one up to byte/],
    [
      "2^40 bytes of zeros",
      changed(CODE + 32, 2n ** 40n, [CODE + 4, 8]),
      /expected at most 1048576 bytes of zeros, got 1099511627776$/,
    ],
    [
      "symbols of 2^40 bytes",
      changed(SYMBOLS + 32, 2n ** 40n),
      /expected sections inside the file, got one up to byte/,
    ],
    ["sections that overlap", changed(CODE + 32, BigInt(whole.length - 64)), /expected sections apart, got \d+ bytes/],
    ["an alignment of 2^40", changed(CODE + 48, 2n ** 40n), /expected alignments up to 4096, got 1099511627776$/],
    [
      "a name without an end",
      elfFile({ ...foreign, symbols: [NO_SYMBOL, { name: "x".repeat(256), section: 1, offset: 0 }] }),
      /expected names of at most 255 bytes, got a longer one at byte \d+$/,
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

test(`a damaged object file links or is refused, and takes little (seed ${seed})`, () => {
  const wholes = [
    described(X86_64, 0x2010, [to(2, 4, -4), to(4, 8, -4)]),
    described(AARCH64, 0x2010, [to(275, 0), to(277, 4), to(283, 8)]),
    described(RISCV, 0x2810, [to(23, 0), { type: 24, offset: 4, symbol: 1, addend: 0 }, to(19, 8)]),
  ].map(elfFile);
  const special = [0n, 1n, 24n, 63n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 40n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 64n - 1n];
  const place = fc.nat({ max: 900 });
  const change = fc.record({ place, value: fc.oneof(fc.constantFrom(...special), fc.bigInt(0n, 2n ** 16n)) });
  const ends: string[] = [];
  fc.assert(
    fc.property(
      fc.nat({ max: wholes.length - 1 }),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (file, changes) => {
        const bytes = (wholes[file] as Uint8Array).slice();
        // The header at the start; symbols, names, relocations and sections at the end.
        for (const { place, value } of changes) {
          const at = place < 64 ? place : bytes.length - 8 - (place - 64);
          new DataView(bytes.buffer).setBigUint64(at, value, true);
        }
        try {
          expect(link(bytes).bytes.length).toBeLessThan(bytes.length + 2 ** 21);
          ends.push("linked");
        } catch (error) {
          expect(error).toBeInstanceOf(ArtifactError);
          ends.push("refused");
        }
      },
    ),
    { seed, numRuns: FUZZED },
  );
  expect(new Set(ends)).toEqual(new Set(["linked", "refused"]));
});
