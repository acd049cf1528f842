import type { LoopContext } from "./loop-context.js";

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

/** Asks rules in order, from number `first` on; the last one of any list always gives a plan. */
export function choose<Subject, Plan extends object, Context>(
  rules: readonly Rule<Subject, Plan, Context>[],
  context: Context,
  subject: Subject,
  first = 0,
): Choice<Plan> {
  const passed: string[] = [];
  for (let i = first; i < rules.length; i++) {
    const { name, plan } = rules[i] as Rule<Subject, Plan, Context>;
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
