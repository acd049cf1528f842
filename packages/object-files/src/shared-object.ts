import { ArgumentError, quoted } from "@stowage/ir";
import { ByteWriter, upTo } from "./byte-writer.js";
import {
  ET,
  HEADER_BYTES,
  NO_SYMBOL,
  RELA_BYTES,
  R_X86_64,
  SYMBOL_BYTES,
  writeFileHeader,
  writeSymbol,
} from "./elf.js";
import type { ObjectFile, Section } from "./object-file.js";
import { requireObjectFile } from "./require-object-file.js";
import { StringTable } from "./string-table.js";

const PAGE_BYTES = 4096;
const PROGRAM_HEADER_BYTES = 56;
const SEGMENTS = 5;
const PT = { load: 1, dynamic: 2, gnuStack: 0x6474e551 } as const;
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
} as const;
const DYNAMIC_ENTRIES = 10;

/** Where each part lies: file offsets and addresses are the same. */
interface Places {
  readonly symbols: number;
  readonly strings: number;
  readonly hash: number;
  readonly relocations: number;
  readonly code: number;
  readonly data: number;
  readonly dynamic: number;
  /** Of each section. */
  readonly sections: readonly number[];
  readonly end: number;
}

/**
 * An ELF shared object that dlopen takes: what a linker makes of the same object file, for programs without one. It
 * needs no other library. System V ABI, edition 4.1, chapter 5. Throws an ArgumentError.
 */
export function sharedObject(file: ObjectFile, name: string): Uint8Array<ArrayBuffer> {
  requireObjectFile(file);
  if (typeof name !== "string") throw new ArgumentError("name of a shared object", "a text", quoted(name));
  const strings = new StringTable();
  const nameOffset = strings.offsetOf(name);
  const nameOffsets = file.symbols.map((symbol) => strings.offsetOf(symbol.name));
  const text = strings.finish();
  const places = placesOf(file, text.length);
  const to = new ByteWriter();
  writeFileHeader(to, { type: ET.shared, programHeaders: SEGMENTS, sectionsOffset: 0, sections: 0, namesSection: 0 });
  writeSegments(to, places);
  writeSymbols(to.to(places.symbols), file, places, nameOffsets);
  to.to(places.strings).bytes(text);
  writeHash(to.to(places.hash), file.symbols.length);
  writeRelocations(to.to(places.relocations), file, places);
  for (const kind of ["code", "data"] as const)
    file.sections.forEach((section, i) => {
      if (section.kind === kind) to.to(places.sections[i] as number).bytes(linked(section, i, places));
    });
  writeDynamic(to.to(places.dynamic), file, places, text.length, nameOffset);
  return to.finish();
}

function placesOf({ sections, symbols }: ObjectFile, stringBytes: number): Places {
  const symbolsAt = upTo(HEADER_BYTES + SEGMENTS * PROGRAM_HEADER_BYTES, 8);
  const strings = symbolsAt + (1 + symbols.length) * SYMBOL_BYTES;
  const hash = upTo(strings + stringBytes, 8);
  const relocations = upTo(hash + 4 * (3 + 1 + symbols.length), 8);
  const code = upTo(relocations + addressesOf(sections).length * RELA_BYTES, PAGE_BYTES);
  const own: number[] = new Array<number>(sections.length).fill(0);
  const place = (kind: Section["kind"], start: number): number => {
    let at = start;
    sections.forEach((section, i) => {
      if (section.kind !== kind) return;
      own[i] = upTo(at, section.alignmentBytes);
      at = own[i] + section.bytes.length;
    });
    return at;
  };
  const data = upTo(place("code", code), PAGE_BYTES);
  const dynamic = upTo(place("data", data), 8);
  const end = dynamic + DYNAMIC_ENTRIES * 16;
  return { symbols: symbolsAt, strings, hash, relocations, code, data, dynamic, sections: own, end };
}

/** The tables may be read, the code run, the data and the dynamic section written. */
function writeSegments(to: ByteWriter, { code, data, dynamic, end }: Places): void {
  const segment = (type: number, flags: number, at: number, bytes: number, alignment: number): void => {
    to.u32(type).u32(flags).u64(at).u64(at).u64(at).u64(bytes).u64(bytes).u64(alignment);
  };
  segment(PT.load, PF.read, 0, code, PAGE_BYTES);
  segment(PT.load, PF.read | PF.execute, code, data - code, PAGE_BYTES);
  segment(PT.load, PF.read | PF.write, data, end - data, PAGE_BYTES);
  segment(PT.dynamic, PF.read | PF.write, dynamic, end - dynamic, 8);
  segment(PT.gnuStack, PF.read | PF.write, 0, 0, 16);
}

/** The loader asks only whether a symbol's section is 0. */
const SOME_SECTION = 1;

function writeSymbols(to: ByteWriter, { symbols }: ObjectFile, places: Places, names: readonly number[]): void {
  writeSymbol(to, NO_SYMBOL);
  symbols.forEach(({ section, offsetBytes, sizeBytes }, i) => {
    const value = (places.sections[section] as number) + offsetBytes;
    const place = { section: SOME_SECTION, value, size: sizeBytes };
    writeSymbol(to, { name: names[i] as number, binding: "global", type: "function", ...place });
  });
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

function writeDynamic(to: ByteWriter, file: ObjectFile, places: Places, stringBytes: number, name: number): void {
  const entries: readonly (readonly [number, number])[] = [
    [DT.soname, name],
    [DT.hash, places.hash],
    [DT.strtab, places.strings],
    [DT.symtab, places.symbols],
    [DT.strsz, stringBytes],
    [DT.syment, SYMBOL_BYTES],
    [DT.rela, places.relocations],
    [DT.relasz, addressesOf(file.sections).length * RELA_BYTES],
    [DT.relaent, RELA_BYTES],
    [0, 0],
  ];
  for (const [tag, value] of entries) to.u64(tag).u64(value);
}
