import { BoundsMemo } from "../bounds/bounds-memo.js";
import { DatatypeError } from "../errors.js";
import { requireNamedArguments } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Subarray } from "./datatype.js";
import { copyIntegers, requireSameLength, type IntegerList } from "./integer-list.js";
import { requireOrder, type Order } from "./order.js";
import { sealed } from "./sealed.js";

/**
 * The arguments of MPI_Type_create_subarray by name (MPI 4.1, section 5.1.3). The three lists have one entry a
 * dimension, counted in elements of the array, which are children.
 */
export interface SubarrayArguments {
  /** Elements of the whole array along each dimension, 1 or more. */
  readonly sizes: IntegerList;
  /** Elements of the box along each dimension, from 1 to the size. */
  readonly subsizes: IntegerList;
  /** The first element of the box along each dimension, counted from 0 in either order. */
  readonly starts: IntegerList;
  readonly order: Order;
  readonly child: ChildDatatype;
}

/**
 * The box of `subsizes` elements at `starts` in an array of `sizes` elements (MPI_Type_create_subarray; MPI 4.1,
 * section 5.1.3). Its bounds are those of the whole array.
 * @throws DatatypeError where the box does not lie in the array, or a bound leaves the safe integers.
 */
export function subarray(box: SubarrayArguments): Subarray {
  requireNamedArguments(box, "subarray({ sizes, subsizes, starts, order, child })");
  const sizes = dimensionList(box.sizes, "sizes", "size of array", 1);
  const subsizes = dimensionList(box.subsizes, "subsizes", "size of subarray", 1);
  const starts = dimensionList(box.starts, "starts", "start of subarray", 0);
  requireDimensions(sizes);
  requireSameLength(sizes, subsizes, "subsizes", "length of subsizes", "entries, one a dimension");
  requireSameLength(sizes, starts, "starts", "length of starts", "entries, one a dimension");
  sizes.forEach((size, i) => requireInside(size, subsizes[i] as number, starts[i] as number, i));
  return sealed({
    kind: "subarray",
    sizes,
    subsizes,
    starts,
    order: requireOrder(box.order),
    child: childDatatype(box.child, "child"),
    memo: new BoundsMemo(),
  });
}

/** One frozen entry a dimension; dimensions are few, so that a plain array serves. */
export function dimensionList(list: IntegerList, path: string, subject: string, least: number): readonly number[] {
  return Object.freeze([...copyIntegers(list, path, subject, least)]);
}

function requireDimensions(sizes: readonly number[]): void {
  if (sizes.length > 0) return;
  throw new DatatypeError({ path: "sizes", subject: "dimensions of array", expected: "1 or more", got: "0" });
}

function requireInside(size: number, subsize: number, start: number, dimension: number): void {
  if (subsize > size) {
    const path = `subsizes[${dimension}]`;
    throw new DatatypeError({ path, subject: "size of subarray", expected: `at most ${size}`, got: String(subsize) });
  }
  if (start > size - subsize) {
    const path = `starts[${dimension}]`;
    const expected = `at most ${size} - ${subsize} = ${size - subsize}`;
    throw new DatatypeError({ path, subject: "start of subarray", expected, got: String(start) });
  }
}
