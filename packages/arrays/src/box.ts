import { DatatypeError } from "@stowage/ir";
import { numbers, requireArray, requireObject, stridedArray, type StridedArray } from "./strided-array.js";

/** A part of an array. All lists have an entry a dimension of the array. */
export interface BoxRange {
  /** The first index in each dimension. */
  readonly start: readonly number[];
  /** How many elements in each dimension. */
  readonly shape: readonly number[];
  /** The step from one index to the next; negative ones go backwards. Default: 1 in each dimension. */
  readonly step?: readonly number[];
}

/**
 * A box of an array: the same memory, with other bounds. Throws a DatatypeError where the box leaves the array, or has
 * another number of dimensions.
 *
 * @example
 * ```ts
 * // Columns 1 and 3 of a 4 x 5 matrix.
 * const columns = box(matrix, { start: [0, 1], shape: [4, 2], step: [1, 2] });
 * ```
 */
export function box(array: StridedArray, range: BoxRange): StridedArray {
  requireArray(array);
  requireObject("box of an array", range);
  const shape = numbers("shape of a box", range.shape, 0);
  const start = numbers("start of a box", range.start);
  const step = numbers("step of a box", range.step ?? shape.map(() => 1));
  array.shape.forEach((length, i) => requireInside(i, length, start[i], shape[i], step[i]));
  requireDimensions(array, [start, shape, step]);
  const offsets = array.stridesBytes.map((strideBytes, i) => strideBytes * (start[i] as number));
  return stridedArray({
    ...array,
    shape,
    stridesBytes: array.stridesBytes.map((strideBytes, i) => strideBytes * (step[i] as number)),
    offsetBytes: offsets.reduce((sum, offsetBytes) => sum + offsetBytes, array.offsetBytes),
  });
}

/**
 * An array with its dimensions in another order: packed so, it is transposed. Dimension i of the result is dimension
 * `axes[i]` of the array. Default: all reversed. Throws a DatatypeError where `axes` is not an order of all dimensions.
 */
export function transposed(array: StridedArray, axes?: readonly number[]): StridedArray {
  const dimensions = requireArray(array).shape.length;
  return inOrderOf(array, axes === undefined ? reversed(dimensions) : numbers("axes of an array", axes));
}

const reversed = (dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, i) => dimensions - 1 - i);

function inOrderOf(array: StridedArray, axes: readonly number[]): StridedArray {
  const isOrder = axes.length === array.shape.length && array.shape.every((_, i) => axes.includes(i));
  if (!isOrder) throw wrong("axes of an array", `0 to ${array.shape.length - 1}, each once`, `[${axes.join(", ")}]`);
  const inOrder = (list: readonly number[]): readonly number[] => axes.map((axis) => list[axis] as number);
  return stridedArray({ ...array, shape: inOrder(array.shape), stridesBytes: inOrder(array.stridesBytes) });
}

function requireInside(i: number, length: number, start = NaN, count = NaN, step = NaN): void {
  const last = count === 0 ? start : start + (count - 1) * step;
  const isInside = [start, last].every(
    (index) => Number.isSafeInteger(index) && index >= 0 && (index < length || count === 0),
  );
  if (isInside && count >= 0) return;
  throw wrong(`dimension ${i} of a box`, `indices within [0, ${length})`, `${count} from ${start} on, every ${step}`);
}

function requireDimensions({ shape }: StridedArray, lists: readonly (readonly number[])[]): void {
  const other = lists.find((list) => list.length !== shape.length);
  if (other !== undefined) throw wrong("dimensions of a box", String(shape.length), String(other.length));
}

const wrong = (subject: string, expected: string, got: string): DatatypeError =>
  new DatatypeError({ subject, expected, got });
