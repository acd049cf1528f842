import type { Layout, Stream } from "@stowage/ir";
import type { ModePlan } from "./mode-plan.js";
import type { PassedRule } from "./rule.js";

/** Least sizes, in packed bytes, of a partial pack and of the full pack that it is a part of. */
export interface LeastOfParts {
  readonly partBytes: number;
  readonly fullBytes: number;
}

/** How elements are moved that the caches do not hold, and from which sizes on. */
export interface OutOfCacheMode {
  /** The rule that gave it. */
  readonly rule: string;
  readonly plan: ModePlan;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack. */
  readonly fullBytes: number;
  readonly parts: LeastOfParts;
}

/** How any number of elements is packed or unpacked: what the emitter writes, and explain prints. */
export interface LoopPlan {
  /** The layout as it is moved: runs of varying length are cut into equal blocks where most are equal already. */
  readonly layout: Layout;
  /** Whether the elements are one run, whatever their number: it is copied, by no loop of these. */
  readonly isOneRun: boolean;
  /** One element after another, or its outermost children where elements continue each other's stream. */
  readonly elements: Stream;
  /** Children of `elements` in one element. */
  readonly perElement: number;
  readonly cached: ModePlan;
  /** The best first. */
  readonly outOfCache: readonly OutOfCacheMode[];
  /** Why the other rules for what the caches do not hold gave no mode. */
  readonly passed: readonly PassedRule[];
}
