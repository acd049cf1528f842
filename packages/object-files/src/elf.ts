import type { ByteWriter } from "./byte-writer.js";
import type { Section } from "./object-file.js";

// Names and numbers of the System V ABI, edition 4.1, chapter 4, and its AMD64 supplement, version 1.0, chapter 4.

export const ET = { relocatable: 1, shared: 3 } as const;
export const SHT = { progbits: 1, symtab: 2, strtab: 3, rela: 4, hash: 5, dynamic: 6, note: 7, dynsym: 11 } as const;
export const SHF = { write: 1, alloc: 2, execinstr: 4, infoLink: 64 } as const;
export const R_X86_64 = { address64: 1, relative32: 2, relative: 8 } as const;

export const HEADER_BYTES = 64;
export const SECTION_HEADER_BYTES = 64;
export const SYMBOL_BYTES = 24;
export const RELA_BYTES = 24;

export interface SectionHeader {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly alignment: number;
  readonly entryBytes: number;
}

export interface FileHeader {
  readonly type: number;
  readonly programHeaders: number;
  readonly sectionsOffset: number;
  readonly sections: number;
  readonly namesSection: number;
}

const EM_X86_64 = 62;
const PROGRAM_HEADER_BYTES = 56;

/** ELF64, little-endian, System V. */
export function writeFileHeader(to: ByteWriter, header: FileHeader): void {
  const { type, programHeaders, sectionsOffset, sections, namesSection } = header;
  to.bytes(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)).u64(0);
  to.u16(type).u16(EM_X86_64).u32(1).u64(0);
  to.u64(programHeaders === 0 ? 0 : HEADER_BYTES).u64(sectionsOffset);
  to.u32(0)
    .u16(HEADER_BYTES)
    .u16(programHeaders === 0 ? 0 : PROGRAM_HEADER_BYTES);
  to.u16(programHeaders).u16(SECTION_HEADER_BYTES).u16(sections).u16(namesSection);
}

export function writeSectionHeader(to: ByteWriter, header: SectionHeader): void {
  to.u32(header.name).u32(header.type).u64(header.flags).u64(header.address).u64(header.offset).u64(header.size);
  to.u32(header.link).u32(header.info).u64(header.alignment).u64(header.entryBytes);
}

export interface ElfSymbol {
  readonly name: number;
  readonly binding: "local" | "global";
  readonly type: "none" | "function" | "section";
  readonly section: number;
  readonly value: number;
  readonly size: number;
  readonly visibility?: keyof typeof VISIBILITY | undefined;
}

const VISIBILITY = { default: 0, hidden: 2 } as const;
const BINDING = { local: 0, global: 1 } as const;
const TYPE = { none: 0, function: 2, section: 3 } as const;

export function writeSymbol(to: ByteWriter, symbol: ElfSymbol): void {
  const { name, binding, type, section, value, size, visibility = "default" } = symbol;
  to.u32(name)
    .u8((BINDING[binding] << 4) | TYPE[type])
    .u8(VISIBILITY[visibility])
    .u16(section)
    .u64(value)
    .u64(size);
}

export const NO_SYMBOL: ElfSymbol = { name: 0, binding: "local", type: "none", section: 0, value: 0, size: 0 };

export const flagsOf = ({ kind }: Section): number => SHF.alloc | (kind === "code" ? SHF.execinstr : SHF.write);
