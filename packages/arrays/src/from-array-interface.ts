import { boundsOf, contiguous, DatatypeError, hvector, quoted, resized, struct, type Datatype } from "@stowage/ir";
import { requireAgreeing } from "./agreeing-data.js";
import { elementType } from "./element-type.js";
import { denseStrides } from "./from-ndarray.js";
import { numbers, requireObject, stridedArray, type StridedArray } from "./strided-array.js";

/**
 * A field of a structured dtype: its name, its type string or the fields that it has itself, and, where it is an array,
 * that array's shape.
 */
export type DescriptorField = readonly [name: string, type: string | Descriptor, shape?: readonly number[]];
/** NumPy's description of a record type: its fields in order (`descr` of the array interface). */
export type Descriptor = readonly DescriptorField[];

/**
 * What NumPy says of an array: `__array_interface__`, version 3
 * (https://numpy.org/doc/stable/reference/arrays.interface.html).
 */
export interface ArrayInterface {
  /** How many elements there are in each dimension. */
  readonly shape: readonly number[];
  /** The type string of an element: byte order, sort and bytes, such as "<f8". */
  readonly typestr: string;
  /** Bytes from one index to the next, for each dimension. Absent or null: the array is C-contiguous. */
  readonly strides?: readonly number[] | null;
  /** The fields of structured elements, whose type string is "V" and their bytes. */
  readonly descr?: Descriptor;
  /**
   * The memory, where this process has it. The pair of address and flag that NumPy gives says only where it lies in
   * NumPy's own process, and is not read.
   */
  readonly data?: ArrayBufferView | ArrayBufferLike | readonly [address: number, readOnly: boolean] | null;
  /** Bytes from the start of the memory to element [0, 0, ...]. Default: 0. */
  readonly offset?: number;
  /** Which elements count. Datatypes know of no such thing: an array that has a mask is refused. */
  readonly mask?: unknown;
}

/**
 * Makes an array by NumPy's description; its elements may be structured. Throws a DatatypeError for an unknown or
 * foreign type string, a mask, fields that do not agree with the type string, data of another element type, and
 * elements outside the data.
 *
 * @example
 * ```ts
 * const matrix = fromArrayInterface({ shape: [4, 5], typestr: "<f8", data: new Float64Array(20) });
 * ```
 */
export function fromArrayInterface(array: ArrayInterface): StridedArray {
  requireObject("array interface", array);
  const { typestr, strides, descr, data, offset = 0, mask } = array;
  if (mask !== undefined && mask !== null)
    throw new DatatypeError({
      subject: "mask of an array",
      expected: "none: all elements are moved",
      got: quoted(mask),
    });
  const shape = numbers("shape of an array", array.shape, 0);
  const element = structured(typestr, descr) ?? elementType(typestr);
  requireAgreeing("typestr of an array", typestr, basicOf(element, typestr), data);
  const { extentBytes } = boundsOf(element);
  return stridedArray({
    element,
    shape,
    stridesBytes: strides ?? denseStrides(shape).map((step) => step * extentBytes),
    offsetBytes: offset,
    ...(isMemory(data) ? { data } : {}),
  });
}

/** Dates and times ("M8", "m8") are whole numbers to MPI, and any of them to a typed array. */
const basicOf = (element: Datatype, typestr: string): string | undefined =>
  element.kind === "predefined" && !/[mM]/.test(typestr) ? element.name : undefined;

const isMemory = (data: ArrayInterface["data"]): data is ArrayBufferView | ArrayBufferLike =>
  typeof data === "object" && data !== null && "byteLength" in data;

/** A structured element; undefined where its bytes have no fields. NumPy writes padding as fields without a name. */
function structured(typestr: string, descr: Descriptor | undefined): Datatype | undefined {
  const isPlain = descr === undefined || (descr.length === 1 && descr[0]?.[0] === "");
  return isPlain || !String(typestr).includes("V") ? undefined : fields(descr);
}

/** Fields one after the other, as long as all of them: a structured dtype has no padding but what it names. */
function fields(descriptor: Descriptor): Datatype {
  const types = descriptor.map(([, type, shape]) => fieldType(type, shape));
  const places: number[] = [];
  let endBytes = 0;
  for (const type of types) {
    places.push(endBytes);
    endBytes += boundsOf(type).extentBytes;
  }
  const named = descriptor.flatMap(([name], i) => (name === "" ? [] : [i]));
  const members = named.map((i) => types[i] as Datatype);
  const made = struct(members.map(() => 1), named.map((i) => places[i] as number), members); // oxfmt-ignore
  return resized(0, endBytes, made);
}

function fieldType(type: string | Descriptor, shape: readonly number[] = []): Datatype {
  const element = typeof type === "string" ? elementType(type) : fields(type);
  const { extentBytes } = boundsOf(element);
  if (shape.length === 1) return contiguous(shape[0] as number, element);
  const strides = denseStrides(shape);
  return shape.reduceRight(
    (inner, length, i) => hvector(length, 1, (strides[i] as number) * extentBytes, inner),
    element,
  );
}
