import type { Datatype } from "@stowage/ir";
import type { StridedArray } from "../strided-array.js";
import type { FieldScalar, ScalarArray, ScalarValue } from "./scalar-access.js";

/**
 * The type of a record's field: a scalar, an array of scalars (its scalar and its length), or a record inside the
 * record.
 */
export type FieldType = FieldScalar | readonly [FieldScalar, number] | RecordType<Fields>;
/** Names and types of a record's fields, in order. */
export type Fields = Readonly<Record<string, FieldType>>;

/** Where a field lies in a record. */
export interface FieldPlace {
  /** Bytes from the record's start to the field. */
  readonly offsetBytes: number;
  /** The bytes of the field. */
  readonly sizeBytes: number;
}

/** A C struct: its datatype, its layout, and typed access to records in memory. `record` makes one. */
export interface RecordType<F extends Fields> {
  /** An MPI struct whose extent is C's sizeof: records of a count lie one after the other. */
  readonly datatype: Datatype;
  /** Bytes of the C struct, as sizeof gives them. */
  readonly sizeBytes: number;
  /** The alignment of the C struct in bytes: that of its strictest field. */
  readonly alignmentBytes: number;
  /** The types of the fields, as given. */
  readonly types: F;
  /** Where each field lies. */
  readonly fields: { readonly [K in keyof F]: FieldPlace };
  /**
   * Access to the records in memory, from byte `originBytes` (default 0) of the view on, as many as fit. Throws a
   * DatatypeError for what is no memory, and an origin outside it.
   */
  over(memory: ArrayBufferView | ArrayBufferLike, originBytes?: number): Records<F>;
}

/** Records one after the other in memory. */
export interface Records<F extends Fields> {
  /** How many records there are. */
  readonly length: number;
  /** Record i, from 0. Throws a DatatypeError where there is none. */
  at(i: number): Row<F>;
  /** One field of all records, as a strided array: packing it turns an array of structs into an array of the field. */
  column(name: keyof F & string): StridedArray;
}

/**
 * One record in memory: reading a field reads the memory, writing one writes it. Fields that are arrays or records are
 * views of the memory.
 */
export type Row<F extends Fields> = { -readonly [K in keyof F]: FieldValue<F[K]> };

/** The value of a field in JavaScript: a number, a bigint for 64 bits, a typed array, or a record. */
export type FieldValue<T> = T extends FieldScalar
  ? ScalarValue<T>
  : T extends RecordType<infer F>
    ? Row<F>
    : T extends readonly [FieldScalar, number]
      ? ScalarArray
      : never;

export const isRecordType = (type: FieldType): type is RecordType<Fields> =>
  typeof type === "object" && "fields" in type;
