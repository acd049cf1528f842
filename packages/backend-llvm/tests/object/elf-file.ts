import type { ElfSymbol, Relocation } from "../../src/object/read-elf.js";

/** An object file of one section of code, whose symbols and relocations are all in it. */
export interface Described {
  readonly machine: number;
  readonly code: Uint8Array;
  readonly symbols: readonly ElfSymbol[];
  readonly relocations: readonly Omit<Relocation, "section">[];
}

// System V ABI: sizes of the header, a section's header, a symbol and a relocation with addend.
const [HEADER, SECTION, SYMBOL, RELA] = [64, 64, 24, 24];
const [PROGBITS, SYMTAB, STRTAB, RELOCATIONS] = [1, 2, 3, 4];
const ALLOCATED_CODE = 6;

/** The sections are: none, the code, symbols, names, relocations. */
export function elfFile({ machine, code, symbols, relocations }: Described): Uint8Array {
  const names = new TextEncoder().encode(`\0${symbols.map(({ name }) => `${name}\0`).join("")}`);
  const starts = [HEADER];
  for (const length of [code.length, symbols.length * SYMBOL, names.length, relocations.length * RELA])
    starts.push(Math.ceil(((starts.at(-1) as number) + length) / 8) * 8);
  const [codeAt = 0, symbolsAt = 0, namesAt = 0, relocationsAt = 0, headersAt = 0] = starts;
  const file = new Uint8Array(headersAt + 5 * SECTION);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  [1, machine, 1].forEach((value, i) => view.setUint16(16 + 2 * i, value, true));
  word(view, 40, headersAt);
  view.setUint16(60, 5, true);
  file.set(code, codeAt);
  file.set(names, namesAt);
  let name = 1;
  symbols.forEach((symbol, i) => {
    const at = symbolsAt + i * SYMBOL;
    view.setUint32(at, symbol.name === "" ? 0 : name, true);
    view.setUint16(at + 6, symbol.section, true);
    word(view, at + 8, symbol.offset);
    name += symbol.name.length + 1;
  });
  relocations.forEach(({ offset, type, symbol, addend }, i) => {
    const at = relocationsAt + i * RELA;
    word(view, at, offset);
    view.setUint32(at + 8, type, true);
    view.setUint32(at + 12, symbol, true);
    view.setBigInt64(at + 16, BigInt(addend), true);
  });
  const header = (
    i: number,
    type: number,
    flags: number,
    at: number,
    size: number,
    link: number,
    info: number,
  ): void => {
    const start = headersAt + i * SECTION;
    view.setUint32(start + 4, type, true);
    [flags, 0, at, size].forEach((value, field) => word(view, start + 8 + 8 * field, value));
    view.setUint32(start + 40, link, true);
    view.setUint32(start + 44, info, true);
    word(view, start + 48, 16);
  };
  header(1, PROGBITS, ALLOCATED_CODE, codeAt, code.length, 0, 0);
  header(2, SYMTAB, 0, symbolsAt, symbols.length * SYMBOL, 3, 0);
  header(3, STRTAB, 0, namesAt, names.length, 0, 0);
  header(4, RELOCATIONS, 0, relocationsAt, relocations.length * RELA, 2, 1);
  return file;
}

const word = (view: DataView, at: number, value: number): void => view.setBigUint64(at, BigInt(value), true);
