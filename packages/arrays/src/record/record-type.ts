import type { Datatype } from "@stowage/ir";
import type { StridedArray } from "../strided-array.js";
import type { FieldScalar, ScalarArray, ScalarValue } from "./scalar-access.js";

/** A scalar, an array of scalars (name and length), or a record inside the record. */
export type FieldType = FieldScalar | readonly [FieldScalar, number] | RecordType<Fields>;
/** Names and types of a record's fields, in order. */
export type Fields = Readonly<Record<string, FieldType>>;

/** Where a field lies in a record. */
export interface FieldPlace {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** A C struct: its datatype, its layout, and typed access to records in memory. */
export interface RecordType<F extends Fields> {
  /** A struct whose extent is C's sizeof: count records lie one after the other. */
  readonly datatype: Datatype;
  /** Bytes of the C struct, as sizeof gives them. */
  readonly sizeBytes: number;
  readonly alignmentBytes: number;
  readonly types: F;
  readonly fields: { readonly [K in keyof F]: FieldPlace };
  /** Records in memory, from byte `originBytes` of the view on, as many as fit. */
  over(memory: ArrayBufferView | ArrayBufferLike, originBytes?: number): Records<F>;
}

/** Records one after the other in memory. */
export interface Records<F extends Fields> {
  readonly length: number;
  /** Record i. Throws a DatatypeError where there is none. */
  at(i: number): Row<F>;
  /** One field of all records, as a strided array: what becomes of it when an array of structs becomes arrays. */
  column(name: keyof F & string): StridedArray;
}

/**
 * One record in memory: reading a field reads the memory, writing one writes it. Arrays and records inside are views of
 * it.
 */
export type Row<F extends Fields> = { -readonly [K in keyof F]: FieldValue<F[K]> };

export type FieldValue<T> = T extends FieldScalar
  ? ScalarValue<T>
  : T extends RecordType<infer F>
    ? Row<F>
    : T extends readonly [FieldScalar, number]
      ? ScalarArray
      : never;

export const isRecordType = (type: FieldType): type is RecordType<Fields> =>
  typeof type === "object" && "fields" in type;
