import { boundsOf, contiguous, DatatypeError, hvector, quoted, resized, struct, type Datatype } from "@stowage/ir";
import { requireAgreeing } from "./agreeing-data.js";
import { elementType } from "./element-type.js";
import { denseStrides } from "./from-ndarray.js";
import { numbers, requireObject, stridedArray, type StridedArray } from "./strided-array.js";

/** A field of a structured dtype: name, type string or fields of its own, and the shape of an array in it. */
export type DescriptorField = readonly [name: string, type: string | Descriptor, shape?: readonly number[]];
/** NumPy's description of a record type. */
export type Descriptor = readonly DescriptorField[];

/**
 * What NumPy says of an array (`__array_interface__`, version 3;
 * https://numpy.org/doc/stable/reference/arrays.interface.html). Strides count bytes, and are absent where the array is
 * C-contiguous.
 */
export interface ArrayInterface {
  readonly shape: readonly number[];
  readonly typestr: string;
  readonly strides?: readonly number[] | null;
  /** The fields of structured elements ("V..."). */
  readonly descr?: Descriptor;
  /**
   * The memory, where this process has it; the pair of address and flag that NumPy gives says only where it lies there.
   */
  readonly data?: ArrayBufferView | ArrayBufferLike | readonly [address: number, readOnly: boolean] | null;
  /** Where element [0, 0, ...] lies in the memory, in bytes. Default: 0. */
  readonly offset?: number;
  /** Which elements count. Datatypes know of no such thing: an array that has one is refused. */
  readonly mask?: unknown;
}

/** An array by NumPy's description, structured elements among them. Throws a DatatypeError. */
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
