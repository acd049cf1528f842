import type { Datatype } from "@stowage/ir";

export interface DatatypeOptions {
  /** No byte lies under two entries, within one element or between neighbouring ones: fit for unpack. */
  readonly disjoint?: boolean;
  /** Also datatypes whose parts lie more than 2^32 bytes apart: few bytes, but no one buffer can hold them. */
  readonly sparse?: boolean;
  /** Constructors nested by chance; a share of the datatypes nests far deeper by design. Default 4. */
  readonly depth?: number;
  /** Most packed bytes of one element. Default 2,048. */
  readonly maxSizeBytes?: number;
  /** Most bytes that one element reaches over, sparse ones aside. Default 16,384. */
  readonly maxReachBytes?: number;
}

export type Limits = Required<DatatypeOptions>;

export function limitsOf(options: DatatypeOptions): Limits {
  const { disjoint = false, sparse = false, depth = 4, maxSizeBytes = 2048, maxReachBytes = 16_384 } = options;
  return { disjoint, sparse, depth, maxSizeBytes, maxReachBytes };
}

/** Makes a datatype around one child. */
export type Wrapper = (child: Datatype) => Datatype;
