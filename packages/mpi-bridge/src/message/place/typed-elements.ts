import { predefined, type Datatype, type PredefinedName } from "@stowage/ir";

/** The datatype of a view's elements, by its tag. Bytes are MPI_BYTE: they match whatever bytes a peer has. */
const ELEMENTS: Readonly<Record<string, PredefinedName>> = {
  Int8Array: "MPI_INT8_T",
  Uint8Array: "MPI_BYTE",
  Uint8ClampedArray: "MPI_BYTE",
  DataView: "MPI_BYTE",
  Int16Array: "MPI_INT16_T",
  Uint16Array: "MPI_UINT16_T",
  Int32Array: "MPI_INT32_T",
  Uint32Array: "MPI_UINT32_T",
  Float32Array: "MPI_FLOAT",
  Float64Array: "MPI_DOUBLE",
  BigInt64Array: "MPI_INT64_T",
  BigUint64Array: "MPI_UINT64_T",
};

const DATATYPES = new Map(Object.entries(ELEMENTS).map(([tag, name]) => [tag, predefined(name)]));

/** What one element of a view is to MPI. */
export function elementOfView(view: ArrayBufferView): Datatype {
  const tag = Object.prototype.toString.call(view).slice("[object ".length, -1);
  return DATATYPES.get(tag) ?? predefined("MPI_BYTE");
}
