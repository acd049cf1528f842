import { contiguous, DatatypeError, predefined, quoted, type Datatype, type PredefinedName } from "@stowage/ir";

/** Scalars by their short names, and the predefined datatype of each. */
const SHORT = {
  i8: "MPI_INT8_T",
  u8: "MPI_UINT8_T",
  i16: "MPI_INT16_T",
  u16: "MPI_UINT16_T",
  i32: "MPI_INT32_T",
  u32: "MPI_UINT32_T",
  i64: "MPI_INT64_T",
  u64: "MPI_UINT64_T",
  f32: "MPI_FLOAT",
  f64: "MPI_DOUBLE",
  bool: "MPI_C_BOOL",
  c64: "MPI_C_COMPLEX",
  c128: "MPI_C_DOUBLE_COMPLEX",
} as const satisfies Record<string, PredefinedName>;

/** The short name of a scalar: its sort and its bits; "c64" is two floats of 32 bits. */
export type ScalarName = keyof typeof SHORT;

/** What scijs' and stdlib's ndarrays, and NumPy's dtypes, call them. */
const LONG: Readonly<Record<string, ScalarName>> = {
  int8: "i8",
  uint8: "u8",
  uint8c: "u8",
  uint8_clamped: "u8",
  buffer: "u8",
  int16: "i16",
  uint16: "u16",
  int32: "i32",
  uint32: "u32",
  int64: "i64",
  uint64: "u64",
  bigint64: "i64",
  biguint64: "u64",
  float32: "f32",
  float64: "f64",
  complex64: "c64",
  complex128: "c128",
};

/** NumPy's type strings: byte order, letter, bytes. https://numpy.org/doc/stable/reference/arrays.interface.html */
const TYPE_STRING = /^([<>|=])([a-zA-Z])(\d+)$/;
const LETTERS: Readonly<Record<string, string>> = { i: "i", u: "u", f: "f", c: "c", m: "i", M: "i" };

/**
 * The datatype of an array's elements, by its short name ("f64"), by the name that an ndarray library gives it
 * ("float64"), or by a type string of NumPy ("<f8"; "S12" and "V12" are 12 bytes). Throws a DatatypeError for other
 * names, and for elements in the byte order that this machine does not have: a signature could not tell them apart.
 */
export function elementType(dtype: string): Datatype {
  if (typeof dtype !== "string") throw unknown(quoted(dtype));
  const name = nameOf(dtype);
  if (name !== undefined) return predefined(SHORT[name]);
  const [, order = "", letter = "", bytes = ""] = TYPE_STRING.exec(dtype) ?? [];
  if (letter === "S" || letter === "V") return contiguous(Number(bytes), predefined("MPI_BYTE"));
  if (letter === "b" && bytes === "1") return predefined(SHORT.bool);
  const scalar = `${LETTERS[letter] ?? ""}${Number(bytes) * 8}`;
  if (!isShort(scalar)) throw unknown(dtype);
  if (order === FOREIGN_ORDER && bytes !== "1") {
    throw new DatatypeError({ subject: "byte order of an array's dtype", expected: "this machine's", got: dtype });
  }
  return predefined(SHORT[scalar]);
}

const isShort = (name: string): name is ScalarName => Object.hasOwn(SHORT, name);

const nameOf = (dtype: string): ScalarName | undefined =>
  isShort(dtype) ? dtype : Object.hasOwn(LONG, dtype) ? LONG[dtype] : undefined;

/** The order of bytes that this machine does not have, in NumPy's signs. */
const FOREIGN_ORDER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? ">" : "<";

const HALF = ["float16", "f16", "half"];
const isHalf = (dtype: string): boolean => HALF.includes(dtype) || /^[<>|=]f2$/.test(dtype);

const unknown = (dtype: string): DatatypeError =>
  new DatatypeError({
    subject: "dtype of an array",
    expected: isHalf(dtype)
      ? "a type that MPI has, or uint16 for the words of half-precision floats"
      : `one of ${Object.keys(SHORT).join(", ")}, a name such as float64, or a type string such as <f8`,
    got: dtype,
  });
