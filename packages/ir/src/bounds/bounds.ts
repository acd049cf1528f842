/** Size and bounds of one element of a datatype, in bytes. MPI 4.1, sections 5.1.5 to 5.1.8. */
export interface Bounds {
  /** Bytes of data: the length of the packed stream of one element. */
  readonly sizeBytes: number;
  /** The lower bound, from the datatype's address 0; it may be negative. */
  readonly lowerBoundBytes: number;
  /** The distance from one element to the next in an array of them; negative where the user said so. */
  readonly extentBytes: number;
  /** The lowest byte that holds data, from the datatype's address 0; 0 where there is none. */
  readonly trueLowerBoundBytes: number;
  /** Bytes from the lowest that holds data to one past the highest; 0 where there is none. */
  readonly trueExtentBytes: number;
  /** The strictest alignment of the predefined types inside; 1 where there is none. */
  readonly alignmentBytes: number;
  /**
   * Whether bounds that a user set (by resized, subarray or darray, in this type or in one inside it) decide the lower
   * bound and the extent. They are sticky: where a type map has any, no others count. By the rule "mpich" it is always
   * false: there they count like any others.
   */
  readonly hasExplicitBounds: boolean;
}

/**
 * By whose rule the bounds are that nobody set. Types that hold data throughout, aligned as C aligns it, have the same
 * ones by all three:
 * - "standard": the type map's. Its entries are data and markers that users set (resized, subarray, darray); every
 *   constructor copies and displaces both; a map without entries has no bounds. A struct without markers is padded.
 * - "open-mpi": what Open MPI computes: copies of an empty type have places, and every constructor is padded.
 * - "mpich": what MPICH computes: no bounds are sticky, copies of an empty type are empty, and a struct is padded
 *   unless its members are all one type.
 */
export type BoundsRule = "standard" | "open-mpi" | "mpich";

/** How bounds are computed. */
export interface BoundsOptions {
  /** The rule by which bounds are computed. Default: "standard". */
  readonly bounds?: BoundsRule | undefined;
}

/** The bounds of an empty type map. */
export const NO_BOUNDS: Bounds = Object.freeze({
  sizeBytes: 0,
  lowerBoundBytes: 0,
  extentBytes: 0,
  trueLowerBoundBytes: 0,
  trueExtentBytes: 0,
  alignmentBytes: 1,
  hasExplicitBounds: false,
});
