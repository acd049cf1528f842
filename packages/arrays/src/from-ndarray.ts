import { boundsOf } from "@stowage/ir";
import { requireAgreeing } from "./agreeing-data.js";
import { elementType } from "./element-type.js";
import { numbers, requireObject, stridedArray, type StridedArray } from "./strided-array.js";

/** An ndarray of scijs (`stride`) or of stdlib (`strides`). Strides and offset count elements. */
export interface Ndarray {
  /** The memory. */
  readonly data: ArrayBufferView | ArrayBufferLike;
  /** How many elements there are in each dimension. */
  readonly shape: ArrayLike<number>;
  /** Elements from one index to the next, for each dimension (scijs). Absent, as `strides`: the array is dense. */
  readonly stride?: ArrayLike<number>;
  /** Elements from one index to the next, for each dimension (stdlib). */
  readonly strides?: ArrayLike<number>;
  /** Elements from the start of the memory to element [0, 0, ...]. Default: 0. */
  readonly offset?: number;
  /** The library's name of the element type, such as "float64". */
  readonly dtype: string;
}

/**
 * Makes an array of what ndarray libraries hold. Without strides it is dense, its last index running fastest. Throws a
 * DatatypeError for an unknown dtype, data of another element type, and elements outside the data.
 */
export function fromNdarray(array: Ndarray): StridedArray {
  requireObject("ndarray", array);
  const { data, shape, stride, strides, offset = 0, dtype } = array;
  const element = elementType(dtype);
  requireAgreeing("dtype of an ndarray", dtype, element.kind === "predefined" ? element.name : undefined, data);
  const { extentBytes } = boundsOf(element);
  const lengths = numbers("shape of an ndarray", shape, 0);
  const steps = numbers("strides of an ndarray", strides ?? stride ?? denseStrides(lengths));
  numbers("offset of an ndarray", [offset]);
  return stridedArray({
    element,
    shape: lengths,
    stridesBytes: steps.map((step) => step * extentBytes),
    offsetBytes: offset * extentBytes,
    data,
  });
}

/** Elements from one index to the next of each dimension, the last one running fastest. */
export const denseStrides = (shape: readonly number[]): readonly number[] =>
  shape.map((_, i) => shape.slice(i + 1).reduce((product, length) => product * length, 1));
