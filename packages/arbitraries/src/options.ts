import { requireOptions, requireRecord, type Datatype, type FieldRule, type FieldRules } from "@stowage/ir";

/** What generated datatypes may hold. */
export interface DatatypeOptions {
  /**
   * Whether no byte lies under two entries, within one element or between neighbouring ones: such datatypes are fit for
   * unpack. Default: false.
   */
  readonly disjoint?: boolean;
  /**
   * Whether there are also datatypes whose parts lie more than 2^32 bytes apart: few bytes, but no one buffer can hold
   * them. Default: false.
   */
  readonly sparse?: boolean;
  /** How deep constructors are nested by chance; a share of the datatypes nests far deeper by design. Default: 4. */
  readonly depth?: number;
  /** The most packed bytes of one element. Default: 2,048. */
  readonly maxSizeBytes?: number;
  /** The most bytes that one element reaches over, except for sparse ones. Default: 16,384. */
  readonly maxReachBytes?: number;
}

export type Limits = Required<DatatypeOptions>;

const A_BOOLEAN: FieldRule = { expected: "a boolean", allows: (value) => typeof value === "boolean" };
const integerFrom = (least: number, most = Number.MAX_SAFE_INTEGER): FieldRule => ({
  expected: `an integer from ${least} to ${most}`,
  allows: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

/** Each level multiplies the memory that drawing takes. */
const MOST_LEVELS = 64;

const RULES: FieldRules<Limits> = {
  disjoint: A_BOOLEAN,
  sparse: A_BOOLEAN,
  depth: integerFrom(0, MOST_LEVELS),
  maxSizeBytes: integerFrom(1),
  maxReachBytes: integerFrom(1),
};
const NAMES = Object.keys(RULES);

/** Options and the defaults of those left out. Throws an ArgumentError for what are no options. */
export function limitsOf(options: DatatypeOptions): Limits {
  requireOptions(options, "options of datatypes", NAMES);
  const { disjoint = false, sparse = false, depth = 4, maxSizeBytes = 2048, maxReachBytes = 16_384 } = options;
  return requireRecord({ disjoint, sparse, depth, maxSizeBytes, maxReachBytes }, "options of datatypes", RULES);
}

/** Makes a datatype around one child. */
export type Wrapper = (child: Datatype) => Datatype;
