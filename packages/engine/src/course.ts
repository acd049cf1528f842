import type { Backend } from "@stowage/backend-api";

/**
 * The backends that move calls of `fromCount` elements and more, one after another: the next takes over once calls
 * would have saved what it takes to compile it. Decided when a kernel is first asked for; calls only look.
 */
export interface Course {
  /** Elements of a call from which on it holds, up to the next course. */
  readonly fromCount: number;
  /** One or more; the last stays. */
  readonly tiers: readonly Tier[];
}

/** One backend of a course, and what its compile costs and saves. */
export interface Tier {
  readonly backend: Backend;
  /** What it takes to compile and load, predicted. */
  readonly commitNs: number;
  /** What each call, and each of its elements, saves beside the tier before; 0 of the first. */
  readonly savedNsPerCall: number;
  readonly savedNsPerElement: number;
}

/** One backend for all calls. */
export const onlyCourse = (backend: Backend): readonly Course[] =>
  Object.freeze([{ fromCount: 0, tiers: [{ backend, commitNs: 0, savedNsPerCall: 0, savedNsPerElement: 0 }] }]);
