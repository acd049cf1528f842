import { closeSync, openSync, readSync } from "node:fs";

/** What a shared library says of itself to the loader (System V ABI, "Dynamic Linking"). */
interface SharedObject {
  /** DT_SONAME; "" where there is none. */
  readonly soname: string;
  /** DT_NEEDED: the libraries that it is linked with. */
  readonly needed: readonly string[];
}

const HEADER_BYTES = 64;
const ELF_64_LITTLE = "7f454c460201";
const LOAD = 1;
const DYNAMIC = 2;
const TAGS = { end: 0, needed: 1, strings: 5, stringBytes: 10, soname: 14 } as const;
const ENTRY_BYTES = 16;
/** No library has so much of any of what is read here: of a file that says so nothing is believed. */
const MOST_BYTES = 2 ** 26;

type Read = (at: number, bytes: number) => Buffer;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/** A 64-bit ELF library; undefined for any other file, and where there is none. */
export function readSharedObject(path: string): SharedObject | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    return dynamicOf((at, bytes) => partOf(file, at, bytes));
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it is cut, or says what cannot be
    throw error;
  } finally {
    closeSync(file);
  }
}

function partOf(file: number, at: number, bytes: number): Buffer {
  if (!Number.isSafeInteger(at) || bytes > MOST_BYTES) throw new RangeError("part of an ELF file");
  const part = Buffer.alloc(bytes);
  if (readSync(file, part, 0, bytes, at) !== bytes) throw new RangeError("part of an ELF file");
  return part;
}

const wordAt = (part: Buffer, at: number): number => Number(part.readBigUInt64LE(at));

function segmentsOf(read: Read): readonly Segment[] {
  const header = read(0, HEADER_BYTES);
  if (header.toString("hex", 0, 6) !== ELF_64_LITTLE) return [];
  const [bytes, count] = [header.readUInt16LE(54), header.readUInt16LE(56)];
  const table = read(wordAt(header, 32), bytes * count);
  return Array.from({ length: count }, (_, i) => ({
    type: table.readUInt32LE(i * bytes),
    offset: wordAt(table, i * bytes + 8),
    address: wordAt(table, i * bytes + 16),
    bytes: wordAt(table, i * bytes + 32),
  }));
}

function dynamicOf(read: Read): SharedObject | undefined {
  const segments = segmentsOf(read);
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (dynamic === undefined) return undefined;
  const table = read(dynamic.offset, dynamic.bytes);
  const entries: (readonly [tag: number, value: number])[] = [];
  for (let at = 0; at < table.length && wordAt(table, at) !== TAGS.end; at += ENTRY_BYTES)
    entries.push([wordAt(table, at), wordAt(table, at + 8)]);
  const values = (wanted: number): readonly number[] =>
    entries.flatMap(([tag, value]) => (tag === wanted ? [value] : []));
  const [[address = 0], [bytes = 0]] = [values(TAGS.strings), values(TAGS.stringBytes)];
  const strings = read(offsetOf(segments, address), bytes);
  const text = (at: number): string => strings.toString("latin1", at, strings.indexOf(0, at));
  return { soname: values(TAGS.soname).map(text)[0] ?? "", needed: values(TAGS.needed).map(text) };
}

function offsetOf(segments: readonly Segment[], address: number): number {
  const segment = segments.find(
    ({ type, address: first, bytes }) => type === LOAD && address >= first && address < first + bytes,
  );
  if (segment === undefined) throw new RangeError("an address of an ELF file");
  return segment.offset + address - segment.address;
}
