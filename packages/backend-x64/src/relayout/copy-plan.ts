import type { Layout } from "@stowage/ir";
import type { ModePlan } from "../loops/loop-plan.js";
import type { Choice } from "../loops/rule.js";
import type { PairPlan } from "./pair-plan.js";
import type { Pairing } from "./pairing.js";

/** So many children as one ordered pair. */
export interface NestPlan {
  readonly children: number;
  readonly pair: PairPlan;
}

/** Children in one mode: many at a time, then one by one. */
export interface NestsPlan {
  readonly mode: ModePlan;
  readonly nests: readonly NestPlan[];
  /** Whether all leave the counter alone. */
  readonly isPlain: boolean;
}

/** Children that the caches do not hold, where the first one's target is aligned. */
export interface CopyMode extends NestsPlan {
  readonly rule: string;
  /** Why each rule before it gave none. */
  readonly passed: readonly string[];
  readonly alignmentBytes: number;
  /** Children from which they are so many. */
  readonly fromChildren: number;
  /** Whether the alignment of the first child's target is that of all. */
  readonly keepsAlignment: boolean;
}

/** Any number of children of one packed size. */
export interface LevelPlan {
  readonly unitBytes: number;
  readonly sourceBytes: number;
  readonly targetBytes: number;
  readonly cached: NestsPlan;
  readonly outOfCache: CopyMode | undefined;
}

/** How any number of elements is copied from layout to layout: what the emitter writes, and explain prints. */
export interface CopyPlan {
  /** Canonical. */
  readonly source: Layout;
  readonly target: Layout;
  readonly pairing: Choice<Pairing>;
  /** The elements, or the children of their outermost loops; undefined: they do not pair. */
  readonly elements: LevelPlan | undefined;
  /** The children inside one element, for ranges that lie in it. */
  readonly inner: LevelPlan | undefined;
  /** Bytes of the buffer on the stack that all else goes through, and how many of the packed stream at once. */
  readonly bufferBytes: number;
  readonly stepBytes: number;
}
