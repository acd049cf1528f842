import { DatatypeError } from "@stowage/ir";

/** What the elements of a typed array are, in words of dtypes. Bytes (Uint8Array, Buffer) may be memory of anything. */
const OF_TYPED_ARRAYS: Readonly<Record<string, readonly string[]>> = {
  Int8Array: ["MPI_INT8_T", "MPI_C_BOOL"],
  Int16Array: ["MPI_INT16_T"],
  Uint16Array: ["MPI_UINT16_T"],
  Int32Array: ["MPI_INT32_T"],
  Uint32Array: ["MPI_UINT32_T"],
  BigInt64Array: ["MPI_INT64_T"],
  BigUint64Array: ["MPI_UINT64_T"],
  Float32Array: ["MPI_FLOAT", "MPI_C_COMPLEX"],
  Float64Array: ["MPI_DOUBLE", "MPI_C_DOUBLE_COMPLEX"],
  Float16Array: [],
};

/** Throws a DatatypeError where a typed array holds other numbers than its dtype says. */
export function requireAgreeing(subject: string, dtype: string, basic: string | undefined, data: unknown): void {
  const name = ArrayBuffer.isView(data) ? data.constructor.name : "";
  if (basic === undefined || !Object.hasOwn(OF_TYPED_ARRAYS, name) || OF_TYPED_ARRAYS[name]?.includes(basic)) return;
  throw new DatatypeError({ subject, expected: `one of the elements of its data, a ${name}`, got: dtype });
}
