import { ByteWriter } from "./byte-writer.js";
import { ehFrameOf } from "./eh-frame.js";
import {
  ET,
  flagsOf,
  HEADER_BYTES,
  NO_SYMBOL,
  RELA_BYTES,
  R_X86_64,
  SHF,
  SHT,
  SYMBOL_BYTES,
  writeFileHeader,
  writeSectionHeader,
  writeSymbol,
  type SectionHeader,
} from "./elf.js";
import type { ObjectFile, ObjectSymbol, Relocation, Section } from "./object-file.js";
import { PROPERTY_ALIGNMENT, propertyNote } from "./property-note.js";
import { requireObjectFile } from "./require-object-file.js";
import { StringTable } from "./string-table.js";

type Placed = Omit<SectionHeader, "name" | "offset" | "size" | "address"> & {
  readonly name: string;
  readonly bytes: Uint8Array;
};

const EMPTY = new Uint8Array(0);
const NULL: Placed = { name: "", type: 0, flags: 0, link: 0, info: 0, alignment: 0, entryBytes: 0, bytes: EMPTY };
/** Its presence tells linkers that the stack need not be executable. */
const STACK_NOTE: Placed = { ...NULL, name: ".note.GNU-stack", type: SHT.progbits, alignment: 1 };

/**
 * The bytes of an ELF object that any linker for x86-64 takes, into programs, position-independent ones and shared
 * objects. System V ABI, edition 4.1, chapter 4. Throws an ArgumentError where `file` is no object file.
 *
 * @example
 * ```typescript
 * const bytes = Uint8Array.of(0xb8, 42, 0, 0, 0, 0xc3); // mov eax, 42; ret
 * const object = relocatableObject({
 *   sections: [{ name: ".text", kind: "code", alignmentBytes: 16, bytes, relocations: [] }],
 *   symbols: [{ name: "answer", section: 0, offsetBytes: 0, sizeBytes: 6 }],
 * });
 * ```
 */
export function relocatableObject(file: ObjectFile): Uint8Array<ArrayBuffer> {
  requireObjectFile(file);
  const names = new StringTable();
  const frames = framesOf(file.sections);
  const sections = frames === undefined ? file.sections : [...file.sections, frames];
  const symbolTable = 1 + sections.length;
  const placed = [
    NULL,
    ...file.sections.map(sectionOf),
    ...(frames === undefined ? [] : [{ ...sectionOf(frames), flags: SHF.alloc }]),
    { ...symbolsOf(file, names), link: symbolTable + 1 },
    { ...NULL, name: ".strtab", type: SHT.strtab, alignment: 1, bytes: names.finish() },
    ...sections.flatMap((section, i) =>
      section.relocations.length === 0 ? [] : [relocationsOf(section, 1 + i, symbolTable)],
    ),
    ...propertiesOf(file),
    STACK_NOTE,
  ];
  return written(placed);
}

/** What unwinders read, whose distances to the code a linker fills in. */
function framesOf(sections: readonly Section[]): Section | undefined {
  const frames = ehFrameOf(sections);
  if (frames === undefined) return undefined;
  const relocations = frames.references.map(({ section, offsetBytes, codeBytes }): Relocation => {
    return { kind: "relative32", offsetBytes, section, addend: codeBytes };
  });
  return { name: ".eh_frame", kind: "data", alignmentBytes: 8, bytes: frames.bytes, relocations };
}

function propertiesOf({ features }: ObjectFile): readonly Placed[] {
  const bytes = propertyNote(features);
  if (bytes === undefined) return [];
  const note = { name: ".note.gnu.property", type: SHT.note, flags: SHF.alloc, alignment: PROPERTY_ALIGNMENT };
  return [{ ...NULL, ...note, bytes }];
}

const sectionOf = (section: Section): Placed => ({
  ...NULL,
  name: section.name,
  type: SHT.progbits,
  flags: flagsOf(section),
  alignment: section.alignmentBytes,
  bytes: section.bytes,
});

/** Local symbols come first: one a section, which relocations name, and functions that no other file sees. */
function symbolsOf({ sections, symbols }: ObjectFile, names: StringTable): Placed {
  const to = new ByteWriter();
  writeSymbol(to, NO_SYMBOL);
  sections.forEach((_, i) => writeSymbol(to, { ...NO_SYMBOL, type: "section", section: 1 + i }));
  const isLocal = ({ visibility }: ObjectSymbol): boolean => visibility === "local";
  const locals = symbols.filter(isLocal);
  for (const { name, section, offsetBytes, sizeBytes, visibility } of [
    ...locals,
    ...symbols.filter((symbol) => !isLocal(symbol)),
  ]) {
    const place = { section: 1 + section, value: offsetBytes, size: sizeBytes };
    const seen =
      visibility === "local" ? ({ binding: "local" } as const) : ({ binding: "global", visibility } as const);
    writeSymbol(to, { name: names.offsetOf(name), type: "function", ...place, ...seen });
  }
  const firstGlobal = 1 + sections.length + locals.length;
  const bytes = to.finish();
  return {
    ...NULL,
    name: ".symtab",
    type: SHT.symtab,
    info: firstGlobal,
    alignment: 8,
    entryBytes: SYMBOL_BYTES,
    bytes,
  };
}

function relocationsOf({ name, relocations }: Section, section: number, symbolTable: number): Placed {
  const to = new ByteWriter();
  for (const { kind, offsetBytes, section: target, addend } of relocations)
    to.u64(offsetBytes)
      .u32(R_X86_64[kind])
      .u32(1 + target)
      .u64(addend);
  const place = { flags: SHF.infoLink, link: symbolTable, info: section, alignment: 8, entryBytes: RELA_BYTES };
  return { ...NULL, name: `.rela${name}`, type: SHT.rela, ...place, bytes: to.finish() };
}

/** The file header, every section's bytes, and the section headers behind them. */
function written(sections: readonly Placed[]): Uint8Array<ArrayBuffer> {
  const names = new StringTable();
  for (const { name } of sections) names.offsetOf(name);
  const nameOffset = names.offsetOf(".shstrtab");
  const all = [...sections, { ...NULL, name: ".shstrtab", type: SHT.strtab, alignment: 1, bytes: names.finish() }];
  const body = new ByteWriter();
  const headers = new ByteWriter();
  for (const { name, bytes, ...header } of all) {
    body.to(Math.ceil((HEADER_BYTES + body.length) / (header.alignment || 1)) * (header.alignment || 1) - HEADER_BYTES);
    const place = { address: 0, offset: header.type === 0 ? 0 : HEADER_BYTES + body.length, size: bytes.length };
    writeSectionHeader(headers, {
      ...header,
      ...place,
      name: name === ".shstrtab" ? nameOffset : names.offsetOf(name),
    });
    body.bytes(bytes);
  }
  const whole = new ByteWriter();
  body.align(8);
  const sectionsOffset = HEADER_BYTES + body.length;
  writeFileHeader(whole, {
    type: ET.relocatable,
    programHeaders: 0,
    sectionsOffset,
    sections: all.length,
    namesSection: all.length - 1,
  });
  return whole.bytes(body.finish()).bytes(headers.finish()).finish();
}
