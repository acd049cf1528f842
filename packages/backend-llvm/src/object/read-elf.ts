import { ArtifactError } from "@stowage/backend-api";

/** Part of an object file that is needed when its code runs. */
export interface Section {
  readonly index: number;
  readonly alignment: number;
  readonly sizeBytes: number;
  /** Absent where all bytes are 0. */
  readonly bytes: Uint8Array | undefined;
}

export interface ElfSymbol {
  readonly name: string;
  /** The section that defines it; 0: none does. */
  readonly section: number;
  readonly offset: number;
}

/** A place in a section that depends on where a symbol comes to lie. */
export interface Relocation {
  readonly section: number;
  readonly offset: number;
  readonly type: number;
  readonly symbol: number;
  readonly addend: number;
}

export interface ElfObject {
  /** e_machine: 62 is x86-64, 183 AArch64, 243 RISC-V. */
  readonly machine: number;
  readonly sections: readonly Section[];
  readonly symbols: readonly ElfSymbol[];
  readonly relocations: readonly Relocation[];
}

// System V ABI, "Object Files": sizes of headers, types of sections, flags.
const [HEADER_BYTES, SECTION_BYTES, SYMBOL_BYTES, RELA_BYTES] = [64, 64, 24, 24];
const [NULL, SYMBOL_TABLE, RELA, NO_BITS] = [0, 2, 4, 8];
const ALLOCATED = 2;
const RELOCATABLE = 1;
/** \x7fELF, 64 bits, little-endian. */
const MAGIC = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
/** Symbols of ours are named by letters, and code of ours needs few zeros and no alignment beyond a page's. */
const [MOST_NAME_BYTES, MOST_ZERO_BYTES, MOST_ALIGNMENT] = [255, 2 ** 20, 4096];

interface Header {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly alignment: number;
}

/** Reads a 64-bit little-endian object file. Throws an ArtifactError where it is none, or is cut short. */
export function readElf(file: Uint8Array): ElfObject {
  try {
    return read(file);
  } catch (cause) {
    if (cause instanceof ArtifactError) throw cause;
    throw refusal("a whole one", `one that ends early, at byte ${file.length}`, cause);
  }
}

function read(file: Uint8Array): ElfObject {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (
    file.length < HEADER_BYTES ||
    MAGIC.some((byte, i) => file[i] !== byte) ||
    view.getUint16(16, true) !== RELOCATABLE
  )
    throw refusal("a 64-bit little-endian ELF object", "something else");
  const headers = headersOf(view);
  requireInside(headers, file.length);
  const tables = headers.filter(({ type }) => type === SYMBOL_TABLE);
  const sections = headers.flatMap((header, index) => sectionsOf(file, header, index));
  return {
    machine: view.getUint16(18, true),
    sections,
    symbols: tables.flatMap((table) => symbolsOf(file, view, table, headers)),
    relocations: headers.filter(({ type }) => type === RELA).flatMap((header) => relocationsOf(view, header)),
  };
}

function headersOf(view: DataView): readonly Header[] {
  const at = wordAt(view, 40);
  return Array.from({ length: view.getUint16(60, true) }, (_, i) => {
    const header = at + i * SECTION_BYTES;
    return {
      type: view.getUint32(header + 4, true),
      flags: wordAt(view, header + 8),
      offset: wordAt(view, header + 24),
      size: wordAt(view, header + 32),
      link: view.getUint32(header + 40, true),
      info: view.getUint32(header + 44, true),
      alignment: wordAt(view, header + 48),
    };
  });
}

/** Sections lie in the file, and apart: what is read of them all is no longer than it. */
function requireInside(headers: readonly Header[], fileBytes: number): void {
  const held = headers.filter(({ type }) => type !== NULL && type !== NO_BITS);
  for (const { offset, size } of held)
    if (offset + size > fileBytes) throw refusal("sections inside the file", `one up to byte ${offset + size}`);
  const sum = held.reduce((bytes, { size }) => bytes + size, 0);
  if (sum > fileBytes) throw refusal("sections apart", `${sum} bytes of them in ${fileBytes}`);
  const zeros = headers.reduce((bytes, { type, size }) => bytes + (type === NO_BITS ? size : 0), 0);
  if (zeros > MOST_ZERO_BYTES) throw refusal(`at most ${MOST_ZERO_BYTES} bytes of zeros`, String(zeros));
}

function sectionsOf(
  file: Uint8Array,
  { type, flags, offset, size, alignment }: Header,
  index: number,
): readonly Section[] {
  if (type === NULL || Math.floor(flags / ALLOCATED) % 2 === 0) return [];
  if (alignment > MOST_ALIGNMENT) throw refusal(`alignments up to ${MOST_ALIGNMENT}`, String(alignment));
  const bytes = type === NO_BITS ? undefined : file.subarray(offset, offset + size);
  return [{ index, alignment: Math.max(1, alignment), sizeBytes: size, bytes }];
}

function symbolsOf(file: Uint8Array, view: DataView, table: Header, headers: readonly Header[]): readonly ElfSymbol[] {
  const names = headers[table.link]?.offset ?? 0;
  return Array.from({ length: Math.floor(table.size / SYMBOL_BYTES) }, (_, i) => {
    const at = table.offset + i * SYMBOL_BYTES;
    const section = view.getUint16(at + 6, true);
    return { name: nameAt(file, names + view.getUint32(at, true)), section, offset: wordAt(view, at + 8) };
  });
}

const relocationsOf = (view: DataView, { offset, size, info }: Header): readonly Relocation[] =>
  Array.from({ length: Math.floor(size / RELA_BYTES) }, (_, i) => {
    const at = offset + i * RELA_BYTES;
    return {
      section: info,
      offset: wordAt(view, at),
      type: view.getUint32(at + 8, true),
      symbol: view.getUint32(at + 12, true),
      addend: Number(view.getBigInt64(at + 16, true)),
    };
  });

const wordAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

const decoder = new TextDecoder();

function nameAt(file: Uint8Array, start: number): string {
  const letters = file.subarray(start, start + MOST_NAME_BYTES + 1);
  const end = letters.indexOf(0);
  if (end < 0) throw refusal(`names of at most ${MOST_NAME_BYTES} bytes`, `a longer one at byte ${start}`);
  return decoder.decode(letters.subarray(0, end));
}

export const refusal = (expected: string, got: string, cause?: unknown): ArtifactError =>
  new ArtifactError(`object file of an llvm artifact: expected ${expected}, got ${got}`, { cause });
