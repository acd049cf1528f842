import type { ScalarName } from "../element-type.js";

/** How one sort of scalar is read and written in a view, and the typed array that holds several of it. */
export interface ScalarAccess<Value> {
  read(view: DataView, offsetBytes: number): Value;
  write(view: DataView, offsetBytes: number, value: Value): void;
  /** The least and the greatest whole number that it holds; undefined of what holds others too. */
  readonly range?: readonly [least: Value, greatest: Value];
  readonly array: TypedArrayConstructor;
}

type TypedArrayConstructor = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ScalarArray;
};

/** A typed array of scalars, as fields that are arrays are read. */
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

const number = (name: Method, array: TypedArrayConstructor, range?: [number, number]): ScalarAccess<number> => ({
  ...(range === undefined ? {} : { range }),
  read: (view, at) => view[`get${name}`](at, LITTLE),
  write: (view, at, value) => view[`set${name}`](at, value, LITTLE),
  array,
});

const bigint = (
  name: "BigInt64" | "BigUint64",
  array: TypedArrayConstructor,
  range: [bigint, bigint],
): ScalarAccess<bigint> => ({
  range,
  read: (view, at) => view[`get${name}`](at, LITTLE),
  write: (view, at, value) => view[`set${name}`](at, value, LITTLE),
  array,
});

export const SCALAR_ACCESS = {
  i8: number("Int8", Int8Array, [-(2 ** 7), 2 ** 7 - 1]),
  u8: number("Uint8", Uint8Array, [0, 2 ** 8 - 1]),
  i16: number("Int16", Int16Array, [-(2 ** 15), 2 ** 15 - 1]),
  u16: number("Uint16", Uint16Array, [0, 2 ** 16 - 1]),
  i32: number("Int32", Int32Array, [-(2 ** 31), 2 ** 31 - 1]),
  u32: number("Uint32", Uint32Array, [0, 2 ** 32 - 1]),
  i64: bigint("BigInt64", BigInt64Array, [-(2n ** 63n), 2n ** 63n - 1n]),
  u64: bigint("BigUint64", BigUint64Array, [0n, 2n ** 64n - 1n]),
  f32: number("Float32", Float32Array),
  f64: number("Float64", Float64Array),
  bool: {
    read: (view: DataView, at: number): boolean => view.getUint8(at) !== 0,
    write: (view: DataView, at: number, value: boolean): void => view.setUint8(at, Number(value)),
    array: Uint8Array,
  },
} satisfies Partial<Record<ScalarName, ScalarAccess<number> | ScalarAccess<bigint> | ScalarAccess<boolean>>>;

/** The short name of a scalar that a record may hold. */
export type FieldScalar = keyof typeof SCALAR_ACCESS;

/** The value of a scalar in JavaScript. */
export type ScalarValue<S extends FieldScalar> = ReturnType<(typeof SCALAR_ACCESS)[S]["read"]>;
