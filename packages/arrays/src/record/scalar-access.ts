import type { ScalarName } from "../element-type.js";

/** How one sort of scalar is read and written in a view, and the typed array that holds several of it. */
export interface ScalarAccess<Value> {
  read(view: DataView, offsetBytes: number): Value;
  write(view: DataView, offsetBytes: number, value: Value): void;
  readonly array: TypedArrayConstructor;
}

type TypedArrayConstructor = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ScalarArray;
};

export type ScalarArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Memory is in this machine's order of bytes, as C has it. */
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

type Method = "Int8" | "Uint8" | "Int16" | "Uint16" | "Int32" | "Uint32" | "Float32" | "Float64";

const number = (name: Method, array: TypedArrayConstructor): ScalarAccess<number> => ({
  read: (view, at) => view[`get${name}`](at, LITTLE),
  write: (view, at, value) => view[`set${name}`](at, value, LITTLE),
  array,
});

const bigint = (name: "BigInt64" | "BigUint64", array: TypedArrayConstructor): ScalarAccess<bigint> => ({
  read: (view, at) => view[`get${name}`](at, LITTLE),
  write: (view, at, value) => view[`set${name}`](at, value, LITTLE),
  array,
});

export const SCALAR_ACCESS = {
  i8: number("Int8", Int8Array),
  u8: number("Uint8", Uint8Array),
  i16: number("Int16", Int16Array),
  u16: number("Uint16", Uint16Array),
  i32: number("Int32", Int32Array),
  u32: number("Uint32", Uint32Array),
  i64: bigint("BigInt64", BigInt64Array),
  u64: bigint("BigUint64", BigUint64Array),
  f32: number("Float32", Float32Array),
  f64: number("Float64", Float64Array),
  bool: {
    read: (view: DataView, at: number): boolean => view.getUint8(at) !== 0,
    write: (view: DataView, at: number, value: boolean): void => view.setUint8(at, Number(value)),
    array: Uint8Array,
  },
} satisfies Partial<Record<ScalarName, ScalarAccess<number> | ScalarAccess<bigint> | ScalarAccess<boolean>>>;

/** A scalar that a record may hold. */
export type FieldScalar = keyof typeof SCALAR_ACCESS;

export type ScalarValue<S extends FieldScalar> = ReturnType<(typeof SCALAR_ACCESS)[S]["read"]>;
