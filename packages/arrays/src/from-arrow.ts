import { boundsOf, contiguous, DatatypeError, quoted } from "@stowage/ir";
import { elementType } from "./element-type.js";
import { requireObject, stridedArray, type StridedArray } from "./strided-array.js";

/**
 * One chunk of an Arrow column, as `vector.data[i]` of apache-arrow: values of one width, or lists of a fixed size of
 * them (https://arrow.apache.org/docs/format/Columnar.html, "Fixed-size primitive layout" and "Fixed-size list
 * layout").
 */
export interface ArrowData {
  /** The column's type: apache-arrow's number of it, and for lists how many values one has. */
  readonly type: { readonly typeId: number; readonly listSize?: number | null; toString(): string };
  /** How many elements the chunk has. */
  readonly length: number;
  /** The chunk's values from its first element on: apache-arrow cuts them to it. */
  readonly values?: ArrayBufferView | null;
  /** How many entries of `values` make one element. Default: 1. */
  readonly stride?: number;
  /** The chunk of the values in lists: one child. */
  readonly children?: readonly ArrowData[];
  /** The values that a column of indices points into; a column that has one is refused. */
  readonly dictionary?: unknown;
}

/**
 * Arrow's numbers of the types whose values lie one after the other: Int, Float, Date, Time, Timestamp,
 * FixedSizeBinary, Duration.
 */
const FIXED_WIDTH: ReadonlySet<number> = new Set([2, 3, 8, 9, 10, 15, 18]);
const FIXED_SIZE_LIST = 16;

/** Names of the arrays that hold numbers, and what elements they hold. */
const DTYPES: Readonly<Record<string, string>> = {
  Int8Array: "i8",
  Uint8Array: "u8",
  Int16Array: "i16",
  Uint16Array: "u16",
  Int32Array: "i32",
  Uint32Array: "u32",
  BigInt64Array: "i64",
  BigUint64Array: "u64",
  Float32Array: "f32",
  Float64Array: "f64",
};

/**
 * The values of a column as an array of one dimension, or of two for lists; which of them are null is not part of it.
 * Half-precision floats are words of 16 bits, as in JavaScript. Throws a DatatypeError for columns whose values are of
 * varying length, packed into bits, or in a dictionary.
 */
export function fromArrow(column: ArrowData): StridedArray {
  requireObject("Arrow column", column);
  const { type, length, values, stride = 1, children = [], dictionary } = column;
  requireObject("type of an Arrow column", type);
  if (typeof type.typeId !== "number") {
    throw new DatatypeError({ subject: "type of an Arrow column", expected: "one with a typeId", got: quoted(type) });
  }
  requireObject("children of an Arrow column", children);
  const child = children[0];
  if (type.typeId === FIXED_SIZE_LIST && child !== undefined) return listOf(length, type.listSize ?? 0, child);
  const dtype = DTYPES[values?.constructor.name ?? ""];
  const isFixed = FIXED_WIDTH.has(type.typeId) && (dictionary === undefined || dictionary === null);
  if (values === undefined || values === null || dtype === undefined || !isFixed) {
    throw new DatatypeError({
      subject: "Arrow column",
      expected: "values of one width, or lists of a fixed size of them",
      got: type.toString(),
    });
  }
  const element = stride === 1 ? elementType(dtype) : contiguous(stride, elementType(dtype));
  const { extentBytes } = boundsOf(element);
  return stridedArray({ element, shape: [length], stridesBytes: [extentBytes], offsetBytes: 0, data: values });
}

function listOf(length: number, size: number, child: ArrowData): StridedArray {
  const items = fromArrow(child);
  const [step = 0] = items.stridesBytes;
  return stridedArray({ ...items, shape: [length, size], stridesBytes: [size * step, step] });
}
