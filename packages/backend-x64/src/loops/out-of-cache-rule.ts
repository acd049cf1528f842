import type { Stream } from "@stowage/ir";
import type { NonTemporalRuns, OutOfCache } from "./out-of-cache.js";
import type { Rule } from "./rule.js";

export interface OutOfCachePlan {
  readonly outOfCache: OutOfCache;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack from which this is done. Default: the tuning's `nonTemporalBytes`. */
  readonly fullBytes?: number;
}

export interface NonTemporalRunsPlan extends OutOfCachePlan {
  readonly outOfCache: NonTemporalRuns;
}

/** Elements of which any number is packed or unpacked. */
export interface LargeElements {
  readonly stream: Stream;
  /** Packed bytes of one element. */
  readonly sizeBytes: number;
  /** Whether most bytes lie in runs that are long; looked for once. */
  readonly isMostlyLong: () => boolean;
}

/** One way to move elements that the caches do not hold: its plan, or why nothing is gained by it. */
export interface OutOfCacheRule extends Rule<LargeElements, OutOfCachePlan> {
  /** Whether no rule after it is asked where this one gives a plan. */
  readonly isEnough?: true;
}
