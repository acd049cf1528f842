import { ArgumentError, quoted } from "@stowage/ir";
import { ByteWriter, upTo } from "./byte-writer.js";
import { ehFrameHeader, ehFrameHeaderBytes, ehFrameOf, type EhFrame } from "./eh-frame.js";
import {
  ET,
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
} from "./elf.js";
import type { ObjectFile, ObjectSymbol, Section } from "./object-file.js";
import { PROPERTY_ALIGNMENT, propertyNote } from "./property-note.js";
import { requireObjectFile } from "./require-object-file.js";
import { StringTable } from "./string-table.js";

const PAGE_BYTES = 4096;
const PROGRAM_HEADER_BYTES = 56;
const PT = {
  load: 1,
  dynamic: 2,
  note: 4,
  ehFrame: 0x6474e550,
  gnuStack: 0x6474e551,
  relro: 0x6474e552,
  property: 0x6474e553,
} as const;
const PF = { execute: 1, write: 2, read: 4 } as const;
const DT = {
  hash: 4,
  strtab: 5,
  symtab: 6,
  rela: 7,
  relasz: 8,
  relaent: 9,
  strsz: 10,
  syment: 11,
  soname: 14,
  flags: 30,
  flags1: 0x6ffffffb,
} as const;
/** Whatever is looked up, is so when the object is loaded; there is nothing, but hardening checks ask. */
const [DF_BIND_NOW, DF_1_NOW] = [8, 1];
const [DYNAMIC_ENTRIES, DYNAMIC_ENTRY_BYTES] = [12, 16];

/** A section of the file, whose offset and address are the same. */
interface Part {
  readonly name: string;
  readonly type: number;
  /** Those without are no part of a process. */
  readonly flags: number;
  readonly alignment: number;
  readonly bytes: number;
  readonly entryBytes?: number;
  readonly link?: string;
  readonly info?: number;
  readonly write: (to: ByteWriter, places: Places) => void;
}

/** Where each part lies, and each section of the object file. */
interface Places {
  readonly parts: ReadonlyMap<string, number>;
  readonly sections: readonly number[];
}

/** Parts of one kind of memory, and where it begins and ends. */
interface Segment {
  readonly flags: number;
  readonly start: number;
  readonly end: number;
}

/** What the parts are made of. */
interface Linked {
  readonly file: ObjectFile;
  readonly frames: EhFrame | undefined;
  readonly note: Uint8Array | undefined;
  readonly exported: readonly ObjectSymbol[];
  /** Names of the dynamic symbols, and of all. */
  readonly strings: StringTable;
  readonly allStrings: StringTable;
  readonly name: string;
}

/**
 * The bytes of an ELF shared object that dlopen takes: what a linker makes of the same object file, for programs
 * without one. It needs no other library. `name` is its DT_SONAME. System V ABI, edition 4.1, chapter 5. Throws an
 * ArgumentError where `file` is no object file: a name that is not ASCII, an index or a place outside.
 */
export function sharedObject(file: ObjectFile, name: string): Uint8Array<ArrayBuffer> {
  requireObjectFile(file);
  if (typeof name !== "string") throw new ArgumentError("name of a shared object", "a text", quoted(name));
  const exported = file.symbols.filter(({ visibility = "default" }) => visibility === "default");
  const [strings, allStrings] = [new StringTable(), new StringTable()];
  for (const each of [name, ...exported.map((symbol) => symbol.name)]) strings.offsetOf(each);
  for (const each of file.symbols) allStrings.offsetOf(each.name);
  const [frames, note] = [ehFrameOf(file.sections), propertyNote(file.features)];
  return written({ file, frames, note, exported, strings, allStrings, name });
}

function written(linked: Linked): Uint8Array<ArrayBuffer> {
  const { frames, note, file } = linked;
  const segments = 6 + (frames === undefined ? 0 : 1) + (note === undefined ? 0 : 2);
  const [tables, rest] = [tableParts(linked), otherParts(linked)];
  const [code, dynamic, data] = [sectionPart("code", linked), dynamicPart(linked), sectionPart("data", linked)];
  const parts = new Map<string, number>();
  let at = HEADER_BYTES + segments * PROGRAM_HEADER_BYTES;
  const place = (part: Part): void => {
    at = upTo(at, part.alignment);
    parts.set(part.name, at);
    at += part.bytes;
  };
  tables.forEach(place);
  const readable: Segment = { flags: PF.read, start: 0, end: at };
  at = upTo(at, PAGE_BYTES);
  place(code);
  const run: Segment = { flags: PF.read | PF.execute, start: parts.get(code.name) as number, end: at };
  // The dynamic section, which nobody writes once it is loaded, ends its page.
  at = upTo(at, PAGE_BYTES) + PAGE_BYTES - dynamic.bytes;
  place(dynamic);
  place(data);
  const changed: Segment = { flags: PF.read | PF.write, start: parts.get(dynamic.name) as number, end: at };
  const inOrder = [...tables, code, dynamic, ...(data.bytes === 0 ? [] : [data]), ...rest];
  const names = new StringTable();
  for (const each of [...inOrder.map((part) => part.name), ".shstrtab"]) names.offsetOf(each);
  inOrder.push(stringPart(".shstrtab", names, 0));
  for (const part of inOrder.slice(-rest.length - 1)) place(part);
  const places: Places = { parts, sections: sectionPlaces(file.sections, parts) };
  const sectionsOffset = upTo(at, 8);
  const to = new ByteWriter();
  const sections = 1 + inOrder.length;
  const counts = { programHeaders: segments, sections, namesSection: sections - 1 };
  writeFileHeader(to, { type: ET.shared, sectionsOffset, ...counts });
  writeSegments(to, [readable, run, changed], places, linked);
  for (const part of inOrder) part.write(to.to(parts.get(part.name) as number), places);
  writeSectionHeaders(to.to(sectionsOffset), inOrder, parts, names);
  return to.finish();
}

const stringPart = (name: string, strings: StringTable, flags: number): Part => {
  const bytes = strings.finish();
  return { name, type: SHT.strtab, flags, alignment: 1, bytes: bytes.length, write: (to) => void to.bytes(bytes) };
};

/** What is read alone. */
function tableParts(linked: Linked): readonly Part[] {
  const { file, frames, note, exported, strings } = linked;
  const addresses = addressesOf(file.sections);
  const flags = SHF.alloc;
  const parts: (Part | undefined)[] = [
    note && {
      ...{ name: ".note.gnu.property", type: SHT.note, flags, alignment: PROPERTY_ALIGNMENT, bytes: note.length },
      write: (to) => void to.bytes(note),
    },
    {
      ...{ name: ".hash", type: SHT.hash, flags, alignment: 8, bytes: 4 * (3 + 1 + exported.length) },
      ...{ entryBytes: 4, link: ".dynsym" },
      write: (to) => writeHash(to, exported.length),
    },
    {
      ...{ name: ".dynsym", type: SHT.dynsym, flags, alignment: 8, bytes: SYMBOL_BYTES * (1 + exported.length) },
      ...{ entryBytes: SYMBOL_BYTES, link: ".dynstr", info: 1 },
      write: (to, places) => writeSymbols(to, exported, strings, places, linked),
    },
    stringPart(".dynstr", strings, flags),
    addresses.length === 0
      ? undefined
      : {
          ...{ name: ".rela.dyn", type: SHT.rela, flags, alignment: 8, bytes: RELA_BYTES * addresses.length },
          ...{ entryBytes: RELA_BYTES, link: ".dynsym" },
          write: (to, places) => writeRelocations(to, file, places),
        },
    frames && {
      ...{ name: ".eh_frame_hdr", type: SHT.progbits, flags, alignment: 4, bytes: ehFrameHeaderBytes(frames) },
      write: (to, places) => void to.bytes(ehFrameHeader(frames, ...framePlaces(places), places.sections)),
    },
    frames && {
      // A length of zero ends it.
      ...{ name: ".eh_frame", type: SHT.progbits, flags, alignment: 8, bytes: frames.bytes.length + 4 },
      write: (to, places) => void to.bytes(linkedFrames(frames, places)).u32(0),
    },
  ];
  return parts.filter((part) => part !== undefined);
}

const framePlaces = ({ parts }: Places) =>
  [parts.get(".eh_frame_hdr") as number, parts.get(".eh_frame") as number] as const;

/** What debuggers and profilers read beside. */
const otherParts = (linked: Linked): readonly Part[] => {
  const { file, allStrings } = linked;
  const isLocal = ({ visibility = "default" }: ObjectSymbol): boolean => visibility !== "default";
  const symbols = [...file.symbols.filter(isLocal), ...file.symbols.filter((symbol) => !isLocal(symbol))];
  return [
    {
      ...{ name: ".symtab", type: SHT.symtab, flags: 0, alignment: 8, bytes: SYMBOL_BYTES * (1 + symbols.length) },
      ...{ entryBytes: SYMBOL_BYTES, link: ".strtab", info: 1 + symbols.filter(isLocal).length },
      write: (to, places) => writeSymbols(to, symbols, allStrings, places, linked),
    },
    stringPart(".strtab", allStrings, 0),
  ];
};

const NAMES = { code: ".text", data: ".data" } as const;

/** All sections of a kind as one. */
function sectionPart(kind: Section["kind"], { file: { sections } }: Linked): Part {
  const own = sections.flatMap((section, i) => (section.kind === kind ? [{ section, i }] : []));
  const alignment = Math.max(1, ...own.map(({ section }) => section.alignmentBytes));
  const flags = SHF.alloc | (kind === "code" ? SHF.execinstr : SHF.write);
  return {
    ...{ name: NAMES[kind], type: SHT.progbits, flags, alignment, bytes: placed(sections, kind, 0).end },
    write: (to, places) => {
      for (const { section, i } of own) to.to(places.sections[i] as number).bytes(linked(section, i, places));
    },
  };
}

/** Where each section of a kind lies behind `start`, one after another. */
function placed(sections: readonly Section[], kind: Section["kind"], start: number) {
  const own = new Map<number, number>();
  let end = start;
  sections.forEach((section, i) => {
    if (section.kind !== kind) return;
    const at = upTo(end, section.alignmentBytes);
    own.set(i, at);
    end = at + section.bytes.length;
  });
  return { own, end };
}

function sectionPlaces(sections: readonly Section[], parts: ReadonlyMap<string, number>): readonly number[] {
  const all = (["code", "data"] as const).map((kind) => placed(sections, kind, parts.get(NAMES[kind]) as number).own);
  return sections.map((_, i) => all.map((own) => own.get(i)).find((at) => at !== undefined) as number);
}

/** What is mapped, and what of it loaders and unwinders look for. */
function writeSegments(to: ByteWriter, loaded: readonly Segment[], { parts }: Places, linked: Linked): void {
  const { frames, note } = linked;
  const segment = (type: number, flags: number, at: number, bytes: number, alignment: number): void => {
    to.u32(type).u32(flags).u64(at).u64(at).u64(at).u64(bytes).u64(bytes).u64(alignment);
  };
  for (const { flags, start, end } of loaded) segment(PT.load, flags, start, end - start, PAGE_BYTES);
  const dynamic = parts.get(".dynamic") as number;
  const dynamicBytes = DYNAMIC_ENTRIES * DYNAMIC_ENTRY_BYTES;
  segment(PT.dynamic, PF.read | PF.write, dynamic, dynamicBytes, 8);
  if (note !== undefined) {
    const at = parts.get(".note.gnu.property") as number;
    for (const type of [PT.note, PT.property]) segment(type, PF.read, at, note.length, PROPERTY_ALIGNMENT);
  }
  if (frames !== undefined)
    segment(PT.ehFrame, PF.read, parts.get(".eh_frame_hdr") as number, ehFrameHeaderBytes(frames), 4);
  segment(PT.gnuStack, PF.read | PF.write, 0, 0, 16);
  segment(PT.relro, PF.read, dynamic, dynamicBytes, 1);
}

function writeSectionHeaders(
  to: ByteWriter,
  parts: readonly Part[],
  places: ReadonlyMap<string, number>,
  names: StringTable,
): void {
  const none = { name: 0, type: 0, flags: 0, address: 0, offset: 0, size: 0, link: 0, info: 0, alignment: 0 };
  writeSectionHeader(to, { ...none, entryBytes: 0 });
  const numberOf = (name: string | undefined): number => 1 + parts.findIndex((part) => part.name === name);
  for (const { name, type, flags, alignment, bytes, entryBytes = 0, link, info = 0 } of parts) {
    const offset = places.get(name) as number;
    const place = { address: flags === 0 ? 0 : offset, offset, size: bytes, alignment };
    writeSectionHeader(to, {
      name: names.offsetOf(name),
      type,
      flags,
      ...place,
      entryBytes,
      link: numberOf(link),
      info,
    });
  }
}

function writeSymbols(
  to: ByteWriter,
  symbols: readonly ObjectSymbol[],
  strings: StringTable,
  { sections }: Places,
  linked: Linked,
): void {
  const codeSection = 1 + tableParts(linked).length;
  writeSymbol(to, NO_SYMBOL);
  for (const { name, section, offsetBytes, sizeBytes, visibility = "default" } of symbols) {
    const place = { section: codeSection, value: (sections[section] as number) + offsetBytes, size: sizeBytes };
    const binding = visibility === "default" ? "global" : "local";
    writeSymbol(to, { name: strings.offsetOf(name), binding, type: "function", ...place });
  }
}

/** One bucket, whose chain holds every symbol: few are looked up, once each. */
function writeHash(to: ByteWriter, symbols: number): void {
  to.u32(1)
    .u32(1 + symbols)
    .u32(symbols === 0 ? 0 : 1)
    .u32(0);
  for (let i = 1; i <= symbols; i++) to.u32(i === symbols ? 0 : i + 1);
}

const addressesOf = (sections: readonly Section[]) =>
  sections.flatMap((section, i) =>
    section.relocations.filter(({ kind }) => kind === "address64").map((relocation) => ({ relocation, in: i })),
  );

function writeRelocations(to: ByteWriter, { sections }: ObjectFile, places: Places): void {
  for (const { relocation, in: i } of addressesOf(sections)) {
    const { offsetBytes, section, addend } = relocation;
    const target = (places.sections[section] as number) + addend;
    to.u64((places.sections[i] as number) + offsetBytes)
      .u32(R_X86_64.relative)
      .u32(0)
      .u64(target);
  }
}

/** A section's bytes with its distances filled in. */
function linked({ bytes, relocations }: Section, i: number, { sections }: Places): Uint8Array {
  const own = bytes.slice();
  const view = new DataView(own.buffer);
  for (const { kind, offsetBytes, section, addend } of relocations) {
    if (kind !== "relative32") continue;
    const distance = (sections[section] as number) + addend - ((sections[i] as number) + offsetBytes);
    view.setInt32(offsetBytes, distance, true);
  }
  return own;
}

/** What unwinders read, linked: with the distances to the code filled in. */
function linkedFrames({ bytes, references }: EhFrame, { parts, sections }: Places): Uint8Array {
  const own = bytes.slice();
  const view = new DataView(own.buffer);
  const start = parts.get(".eh_frame") as number;
  for (const { section, offsetBytes, codeBytes } of references)
    view.setInt32(offsetBytes, (sections[section] as number) + codeBytes - (start + offsetBytes), true);
  return own;
}

function dynamicPart({ file, strings, name }: Linked): Part {
  const relocations = addressesOf(file.sections).length;
  const write = (to: ByteWriter, { parts }: Places): void => {
    const at = (part: string): number => parts.get(part) as number;
    const entries: readonly (readonly [number, number])[] = [
      [DT.soname, strings.offsetOf(name)],
      [DT.hash, at(".hash")],
      [DT.strtab, at(".dynstr")],
      [DT.symtab, at(".dynsym")],
      [DT.strsz, strings.finish().length],
      [DT.syment, SYMBOL_BYTES],
      [DT.flags, DF_BIND_NOW],
      [DT.flags1, DF_1_NOW],
      ...(relocations === 0
        ? []
        : ([
            [DT.rela, at(".rela.dyn")],
            [DT.relasz, relocations * RELA_BYTES],
            [DT.relaent, RELA_BYTES],
          ] as const)),
    ];
    for (let i = 0; i < DYNAMIC_ENTRIES; i++) {
      const [tag, value] = entries[i] ?? [0, 0];
      to.u64(tag).u64(value);
    }
  };
  const [bytes, flags] = [DYNAMIC_ENTRIES * DYNAMIC_ENTRY_BYTES, SHF.alloc | SHF.write];
  const table = { entryBytes: DYNAMIC_ENTRY_BYTES, link: ".dynstr" };
  return { name: ".dynamic", type: SHT.dynamic, flags, alignment: 8, bytes, ...table, write };
}
