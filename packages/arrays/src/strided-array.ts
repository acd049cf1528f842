import { hostMemory, type Span } from "@stowage/backend-api";
import { boundsOf, DatatypeError, hvector, isGone, quoted, type Datatype } from "@stowage/ir";

/** An array in memory: element [i, j, ...] lies at offsetBytes + i * stridesBytes[0] + j * stridesBytes[1] + ... */
export interface StridedArray {
  /** The datatype of one element. */
  readonly element: Datatype;
  /** How many elements there are in each dimension. */
  readonly shape: readonly number[];
  /**
   * Bytes from one index to the next, for each dimension; negative ones go backwards, and 0 is a dimension that is
   * broadcast.
   */
  readonly stridesBytes: readonly number[];
  /** Bytes from the start of `data` to element [0, 0, ...]. */
  readonly offsetBytes: number;
  /** The memory itself, where this process can see it. */
  readonly data?: ArrayBufferView | ArrayBufferLike;
}

/**
 * Returns a checked, frozen array. Throws a DatatypeError where shape and strides are of different length, a number is
 * no safe integer, a length is negative, or an element lies outside the data.
 */
export function stridedArray(array: StridedArray): StridedArray {
  requireObject("array", array);
  const { element, data, offsetBytes } = array;
  if (data !== undefined) requireMemory("data of an array", data);
  const shape = numbers("shape of an array", array.shape, 0);
  const stridesBytes = numbers("strides of an array", array.stridesBytes);
  numbers("offset of an array", [offsetBytes]);
  if (stridesBytes.length !== shape.length) {
    throw wrong("strides of an array", `${shape.length}, one a dimension`, String(stridesBytes.length));
  }
  boundsOf(element); // refuses what is no datatype
  requireWithin({ ...array, shape, stridesBytes });
  const checked = { element, shape, stridesBytes, offsetBytes, ...(data === undefined ? {} : { data }) };
  CHECKED.add(checked);
  return Object.freeze(checked);
}

/**
 * The datatype of one whole array, from its element [0, 0, ...] as address 0: elements are packed in the order of their
 * indices, the last one running fastest, whatever the strides. One hvector a dimension (MPI 4.1, section 5.1.2).
 */
export function datatypeOf(array: StridedArray): Datatype {
  const { element, shape, stridesBytes } = requireArray(array);
  return shape.reduceRight((inner, length, i) => hvector(length, 1, stridesBytes[i] as number, inner), element);
}

/**
 * Where the array lies, as pack, unpack and copy of an engine take it. Throws a DatatypeError where the array has no
 * data.
 *
 * @example
 * ```ts
 * using packing = engine.commit(datatypeOf(matrix));
 * packing.pack(spanOf(matrix), packed);
 * ```
 */
export function spanOf(array: StridedArray): Span {
  const { data, offsetBytes } = requireArray(array);
  if (data === undefined) throw wrong("data of an array", "memory that this process can see", "none");
  return Object.freeze({ memory: hostMemory(data), originBytes: offsetBytes });
}

/** Arrays may be written by hand: those that stridedArray has not checked are checked now. */
export const requireArray = (array: StridedArray): StridedArray => (CHECKED.has(array) ? array : stridedArray(array));

const CHECKED = new WeakSet<StridedArray>();

function requireWithin({ element, shape, stridesBytes, offsetBytes, data }: StridedArray): void {
  if (data === undefined || shape.includes(0)) return;
  const { trueLowerBoundBytes, trueExtentBytes } = boundsOf(element);
  const steps = shape.map((length, i) => (length - 1) * (stridesBytes[i] as number));
  const low = steps.reduce((sum, step) => sum + Math.min(0, step), offsetBytes + trueLowerBoundBytes);
  const high = steps.reduce(
    (sum, step) => sum + Math.max(0, step),
    offsetBytes + trueLowerBoundBytes + trueExtentBytes,
  );
  if (low >= 0 && high <= data.byteLength) return;
  throw wrong(
    `elements of an array of shape [${shape.join(", ")}]`,
    `bytes within [0, ${data.byteLength})`,
    `[${low}, ${high})`,
  );
}

/** A list of safe integers, checked and copied. Throws a DatatypeError. */
export function numbers(subject: string, list: ArrayLike<number>, least = Number.MIN_SAFE_INTEGER): readonly number[] {
  requireObject(subject, list);
  const isList = typeof list.length === "number" && !(ArrayBuffer.isView(list) && isGone(list));
  if (!isList) throw wrong(subject, "a list of integers", quoted(list));
  const copy = Array.from(list);
  const bad = copy.findIndex((value) => !Number.isSafeInteger(value) || value < least);
  if (bad >= 0) {
    const expected = least === 0 ? "integers from 0 to 2^53 - 1" : "integers within ±(2^53 - 1)";
    throw wrong(subject, expected, quoted(copy[bad]));
  }
  return Object.freeze(copy);
}

/** Throws a DatatypeError for what plain JavaScript hands over in place of an object or a list. */
export function requireObject(subject: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw wrong(subject, "an object or a list", quoted(value));
}

/** Throws a DatatypeError for anything but memory that this process can see. */
export function requireMemory(subject: string, data: unknown): void {
  if (ArrayBuffer.isView(data) || data instanceof ArrayBuffer) return;
  if (typeof SharedArrayBuffer === "function" && data instanceof SharedArrayBuffer) return;
  throw wrong(subject, "a view or a buffer", quoted(data));
}

const wrong = (subject: string, expected: string, got: string): DatatypeError =>
  new DatatypeError({ subject, expected, got });
