import type { Blocks, Stream } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import type { OutOfCachePlan, Round } from "./plans.js";

/** One way to do a thing: its plan, or why another is better. */
export interface Rule<Subject, Plan extends object, Context = LoopContext> {
  readonly name: string;
  readonly plan: (context: Context, subject: Subject) => Plan | string;
}

/** The plan of the first rule that gave one. */
export interface Choice<Plan extends object> {
  readonly rule: string;
  /** Why each rule before it gave none, in the order in which they were asked. */
  readonly passed: readonly string[];
  readonly plan: Plan;
}

/** Asks rules in order; the last one of any list always gives a plan. */
export function choose<Subject, Plan extends object, Context>(
  rules: readonly Rule<Subject, Plan, Context>[],
  context: Context,
  subject: Subject,
): Choice<Plan> {
  const passed: string[] = [];
  for (const { name, plan } of rules) {
    const found = plan(context, subject);
    if (typeof found !== "string") return { rule: name, passed, plan: found };
    passed.push(found);
  }
  throw new RangeError(`rules: expected one that gives a plan, got none of ${rules.length}`);
}

/** A rule that gave no plan, and why. */
export interface PassedRule {
  readonly rule: string;
  readonly reason: string;
}

/** Children of a stream that one loop moves. */
export interface Loop {
  readonly node: Stream;
  /** Children at most; Infinity: as many as are asked for when it runs. */
  readonly most: number;
}

/** One way to move the children of a stream: the rounds, the longest first, or why they are better moved otherwise. */
export type StreamRule = Rule<Loop, readonly Round[]>;

/** Blocks of one child each. */
export interface WalkedBlocks {
  readonly node: Blocks;
  /** Whether all of them are moved, one after another; else as many as are asked for, from any entry on. */
  readonly isWhole: boolean;
}

/** Elements of which any number is packed or unpacked. */
interface LargeElements {
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
