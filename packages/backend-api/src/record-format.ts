/** A number, little-endian, or a byte of text. */
const BYTES = { char: 1, u8: 1, u32: 4, u64: 8, i64: 8 } as const;
/**
 * The type of a field of a record: a number, little-endian, of so many bits, signed (i) or unsigned (u); or a byte of
 * text.
 */
export type FieldType = keyof typeof BYTES;

/** One field of a record. */
export interface RecordField {
  /** The field's name, in C and in `RecordFormat.offsets`. */
  readonly name: string;
  /** The type of one value: a number, a byte of text, or another record. */
  readonly type: FieldType | RecordFormat;
  /** What the field means, in a few words; "" where the name says it. */
  readonly about: string;
  /** How many values stand side by side. */
  readonly count: number;
  /** Bytes from the record's start to the field. */
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
  /** What the record is, in one sentence. */
  readonly about: string;
  /** The length of the record in bytes. */
  readonly bytes: number;
  /** The fields, in the order of their rows. */
  readonly fields: readonly RecordField[];
  /** Bytes from the record's start to each field. */
  readonly offsets: Readonly<Record<Name, number>>;
}

/**
 * One field as it is declared: its name, its type, its meaning; then `count`, how many values stand side by side
 * (default 1), and `at`, the name of an earlier field whose place it shares, because it stands for that field in some
 * records.
 */
export type RecordRow = readonly [
  name: string,
  type: FieldType | RecordFormat,
  about: string,
  more?: { readonly count?: number; readonly at?: string },
];

const alignmentOf = (type: FieldType | RecordFormat): number =>
  typeof type === "string" ? BYTES[type] : Math.max(...type.fields.map((field) => alignmentOf(field.type)));

/** The length of one value of a type, in bytes. */
export const bytesOf = (type: FieldType | RecordFormat): number =>
  typeof type === "string" ? BYTES[type] : type.bytes;

/**
 * Lays out a record, one row a field, as a C compiler would. Throws a TypeError where a row, or the record's end, is
 * not aligned: gaps are rows too.
 *
 * @example
 * ```ts
 * const point = recordFormat("point", "A point.", [
 *   ["id", "u32", ""],
 *   ["zero", "u32", ""],
 *   ["time", "u64", "in nanoseconds"],
 * ]);
 * point.offsets.time; // 8
 * ```
 */
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
