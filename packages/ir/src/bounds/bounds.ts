/** Size and bounds of one element of a datatype, in bytes. MPI 4.1, sections 5.1.5 to 5.1.8. */
export interface Bounds {
  /** Bytes of data: the length of the packed stream of one element. */
  readonly sizeBytes: number;
  readonly lowerBoundBytes: number;
  /** Distance between elements; negative where the user said so. */
  readonly extentBytes: number;
  /** Lowest byte that holds data; 0 where there is none. */
  readonly trueLowerBoundBytes: number;
  readonly trueExtentBytes: number;
  /** The strictest alignment of the predefined types inside; 1 where there is none. */
  readonly alignmentBytes: number;
  /** Whether a user set the bounds (resized, subarray, darray) of this type or of one inside: they are sticky. */
  readonly hasExplicitBounds: boolean;
}

/**
 * How bounds that nobody set are rounded up to the alignment of the type:
 * - "struct": each struct (the MPI standard's epsilon as MPICH applies it);
 * - "open-mpi": every constructor, and after each block of a list, as Open MPI does;
 * - "none": never.
 */
export type Padding = "struct" | "open-mpi" | "none";

export interface BoundsOptions {
  readonly padding?: Padding | undefined;
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

/** Whether a type puts no entry, not even a bound, into a type map. */
export function isNothing(bounds: Bounds): boolean {
  return bounds.sizeBytes === 0 && !bounds.hasExplicitBounds;
}
