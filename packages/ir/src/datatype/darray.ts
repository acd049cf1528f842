import { BoundsMemo } from "../bounds/bounds-memo.js";
import { DatatypeError } from "../errors.js";
import { requireDargs, requireGrid } from "./darray-grid.js";
import { requireNamedArguments } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Darray } from "./datatype.js";
import { requireDistributions, type Distribution } from "./distribution.js";
import { requireSameLength, type IntegerList } from "./integer-list.js";
import { requireOrder, type Order } from "./order.js";
import { requireCount, requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";
import { dimensionList } from "./subarray.js";

/**
 * The arguments of MPI_Type_create_darray by name (MPI 4.1, section 5.1.4). The four lists have one entry a dimension
 * of the array.
 */
export interface DarrayArguments {
  /** How many processes share the array: the product of `psizes`. */
  readonly size: number;
  /** The process whose share it is, from 0 to size - 1; ranks go through the process grid in row-major order. */
  readonly rank: number;
  /** Elements (children) of the whole array along each dimension, 1 or more. */
  readonly gsizes: IntegerList;
  /** How each dimension is dealt out. */
  readonly distribs: readonly Distribution[];
  /**
   * Elements of a block along each dimension. null is MPI_DISTRIBUTE_DFLT_DARG: 1 where the dimension is cyclic,
   * ceil(gsize / psize) where it is dealt out in blocks. It is not looked at where the distribution is "none".
   */
  readonly dargs: readonly (number | null)[];
  /** Processes along each dimension; 1 where the distribution is "none". */
  readonly psizes: IntegerList;
  /** How the array lies in memory; the process grid is in row-major order whatever it says. */
  readonly order: Order;
  readonly child: ChildDatatype;
}

/**
 * What process `rank` of `size` holds of an array of `gsizes` elements that is dealt out over a grid of `psizes`
 * processes (MPI_Type_create_darray; MPI 4.1, section 5.1.4). Its bounds are those of the whole array.
 * @throws DatatypeError where grid, distribution and array do not fit, or a bound leaves the safe integers.
 *
 * @example
 * ```typescript
 * // Rows 2 and 3 of an 8 × 8 matrix of doubles, which four processes share by blocks of rows.
 * const share = darray({
 *   size: 4,
 *   rank: 1,
 *   gsizes: [8, 8],
 *   distribs: ["block", "none"],
 *   dargs: [null, null],
 *   psizes: [4, 1],
 *   order: "C",
 *   child: "MPI_DOUBLE",
 * });
 * boundsOf(share).sizeBytes; // 128
 * ```
 */
export function darray(share: DarrayArguments): Darray {
  requireNamedArguments(share, "darray({ size, rank, gsizes, distribs, dargs, psizes, order, child })");
  const gsizes = dimensionList(share.gsizes, "gsizes", "size of array", 1);
  const distribs = requireDistributions(share.distribs);
  const dargs = requireDargs(share.dargs);
  const psizes = dimensionList(share.psizes, "psizes", "processes along a dimension", 1);
  const perDimension = "entries, one a dimension";
  requireSameLength(gsizes, distribs, "distribs", "length of distribs", perDimension);
  requireSameLength(gsizes, dargs, "dargs", "length of dargs", perDimension);
  requireSameLength(gsizes, psizes, "psizes", "length of psizes", perDimension);
  const size = requireInteger(share.size, "size", "processes of darray", 1);
  const node: Darray = {
    kind: "darray",
    size,
    rank: requireRank(share.rank, size),
    gsizes,
    distribs,
    dargs,
    psizes,
    order: requireOrder(share.order),
    child: childDatatype(share.child, "child"),
    memo: new BoundsMemo(),
  };
  requireGrid(node);
  return sealed(node);
}

function requireRank(rank: number, size: number): number {
  if (requireCount(rank, "rank", "rank of darray") < size) return rank + 0;
  const expected = `less than size, ${size}`;
  throw new DatatypeError({ path: "rank", subject: "rank of darray", expected, got: String(rank) });
}
