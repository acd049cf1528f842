import type { Rule } from "../loops/rule.js";
import type { Dimension } from "./dimensions.js";
import type { Pair } from "./pair.js";

/** Runs of one length in dimensions that may be in any order, as long as what is contiguous on both sides allows. */
export interface RunNest {
  readonly dimensions: readonly Dimension[];
  readonly lengthBytes: number;
  /** Whether the target takes non-temporal stores. */
  readonly nonTemporal: boolean;
}

/** One order of a nest's loops: the same bytes, or why another is better. */
export type NestRule = Rule<RunNest, Pair>;
