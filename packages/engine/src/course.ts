import type { Backend } from "@stowage/backend-api";

/**
 * The backends that move calls of `fromCount` elements and more, one after another: the next takes over once calls
 * would have saved what it takes to compile it. Decided when a kernel is first asked for; calls only look.
 */
export interface Course {
  /** The least number of elements of a call that it holds for; it ends where the next course begins. */
  readonly fromCount: number;
  /** The backends in turn, one or more; the last stays. */
  readonly tiers: readonly Tier[];
}

/** One backend of a course, and what its compile costs and saves. */
export interface Tier {
  readonly backend: Backend;
  /** The predicted time to compile and load, in nanoseconds. */
  readonly commitNs: number;
  /** Nanoseconds that each call saves beside the tier before, whatever its count; 0 of the first tier. */
  readonly savedNsPerCall: number;
  /** Nanoseconds that each element of a call saves besides; 0 of the first tier. */
  readonly savedNsPerElement: number;
}

/** The courses of a choice in which one backend moves all calls. */
export const onlyCourse = (backend: Backend): readonly Course[] =>
  Object.freeze([{ fromCount: 0, tiers: [{ backend, commitNs: 0, savedNsPerCall: 0, savedNsPerElement: 0 }] }]);
