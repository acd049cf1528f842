/** A number, little-endian, or a byte of text. */
const BYTES = { char: 1, u8: 1, u32: 4, u64: 8, i64: 8 } as const;
/** The type of a field of a record. */
export type FieldType = keyof typeof BYTES;

/** One field of a record. */
export interface RecordField {
  readonly name: string;
  readonly type: FieldType | RecordFormat;
  readonly about: string;
  /** How many stand side by side. */
  readonly count: number;
  readonly offset: number;
  /** Whether the field shares its bytes with an earlier field of the same offset. */
  readonly shares: boolean;
}

/**
 * A record of fixed length that programs in several languages read: each takes names, widths and offsets from here, and
 * runtime/formats.h is made of it. A new field is one row.
 */
export interface RecordFormat<Name extends string = string> {
  /** The record's name in C: struct `name`. */
  readonly name: string;
  readonly about: string;
  readonly bytes: number;
  readonly fields: readonly RecordField[];
  /** Bytes from the record's start to each field. */
  readonly offsets: Readonly<Record<Name, number>>;
}

/**
 * Name, type and meaning of a field, where it is not one alone how many it is, and where it stands for another field in
 * some records, whose place it shares.
 */
export type RecordRow = readonly [
  name: string,
  type: FieldType | RecordFormat,
  about: string,
  more?: { readonly count?: number; readonly at?: string },
];

const alignmentOf = (type: FieldType | RecordFormat): number =>
  typeof type === "string" ? BYTES[type] : Math.max(...type.fields.map((field) => alignmentOf(field.type)));

/** The width of one of a field's values, in bytes. */
export const bytesOf = (type: FieldType | RecordFormat): number =>
  typeof type === "string" ? BYTES[type] : type.bytes;

/** Throws a TypeError where a row is not aligned as a C compiler would have it: gaps are rows too. */
export function recordFormat<const Rows extends readonly RecordRow[]>(
  name: string,
  about: string,
  rows: Rows,
): RecordFormat<Rows[number][0]> {
  const fields: RecordField[] = [];
  let end = 0;
  for (const [field, type, meaning, { count = 1, at } = {}] of rows) {
    const shared = fields.find((other) => other.name === at);
    const offset = shared?.offset ?? end;
    if (at !== undefined && shared === undefined) throw new TypeError(`${name}.${field}: no field ${at} before it`);
    if (offset % alignmentOf(type) !== 0) throw new TypeError(`${name}.${field}: not aligned at byte ${offset}`);
    fields.push({ name: field, type, about: meaning, count, offset, shares: shared !== undefined });
    end = Math.max(end, offset + count * bytesOf(type));
  }
  if (fields.some(({ type }) => end % alignmentOf(type) !== 0)) throw new TypeError(`${name}: not aligned at its end`);
  const offsets = Object.fromEntries(fields.map((field) => [field.name, field.offset]));
  return Object.freeze({ name, about, bytes: end, fields, offsets: Object.freeze(offsets) as never });
}
