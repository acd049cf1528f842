import type { LoopContext } from "../loops/loop-context.js";
import { ModePlan } from "../loops/loop-plan.js";
import { choose } from "../loops/rule.js";
import { MOST_IMMEDIATE } from "../widths.js";
import type { CopyModeRule } from "./copy-mode-rule.js";
import type { CopyMode, LevelPlan, NestsPlan } from "./copy-plan.js";
import type { Counted, Level } from "./counted.js";
import { isWorthCode, togetherOf } from "./facts/children-together.js";
import { isPlainPair } from "./facts/rounds.js";
import { loop, sizeOf, type Pair } from "./pair.js";
import { ordered } from "./plan-nest.js";
import { planPair } from "./plan-pair.js";
import { asCached } from "./rules/out-of-cache/as-cached.js";
import { halfColumns } from "./rules/out-of-cache/half-columns.js";
import { linesOfRuns } from "./rules/out-of-cache/lines-of-runs.js";
import { wholeColumns } from "./rules/out-of-cache/whole-columns.js";
import { wholeRows } from "./rules/out-of-cache/whole-rows.js";

/** In the order in which they are asked; the last one always gives a mode. */
export const COPY_MODE_RULES: readonly CopyModeRule[] = [wholeColumns, wholeRows, halfColumns, linesOfRuns, asCached];

/** How any number of children is copied, in the caches and out of them. */
export function planLevel(context: LoopContext, { counted, unitBytes }: Level): LevelPlan {
  const { sourceBytes, targetBytes } = counted;
  const cached = new ModePlan(context);
  return Object.freeze({
    unitBytes,
    sourceBytes,
    targetBytes,
    cached: nestsPlan(cached, nestsOf(context, counted, false)),
    outOfCache: modeOf(cached, counted),
  });
}

/** So many children as one ordered pair. */
interface Nest {
  readonly children: number;
  readonly pair: Pair;
}

function nestsOf(context: LoopContext, counted: Counted, nonTemporal: boolean): readonly Nest[] {
  const { child, sourceBytes, targetBytes } = counted;
  const counts = new Set([togetherOf(counted), 1]);
  return [...counts].map((children) => ({
    children,
    pair: ordered(context, loop(children, sourceBytes, targetBytes, child), nonTemporal),
  }));
}

const nestsPlan = (mode: ModePlan, nests: readonly Nest[]): NestsPlan => ({
  mode,
  nests: nests.map(({ children, pair }) => ({ children, pair: planPair(mode.context, pair) })),
  isPlain: nests.every(({ pair }) => isPlainPair(pair)),
});

/** undefined: nothing is gained by a mode, or not in the same way for many children and for one. */
function modeOf(cached: ModePlan, counted: Counted): CopyMode | undefined {
  const { context } = cached;
  const least = context.tuning.nonTemporalBytes;
  const childBytes = sizeOf(counted.child);
  if (!(least <= MOST_IMMEDIATE) || !isWorthCode(childBytes, least)) return undefined;
  const nests = nestsOf(context, counted, true);
  const [first, ...others] = nests.map(({ pair }) => choose(COPY_MODE_RULES, context, pair));
  if (first?.plan.outOfCache === undefined) return undefined;
  const { outOfCache, alignmentBytes } = first.plan;
  if (others.some(({ plan }) => plan.outOfCache?.what !== outOfCache.what)) return undefined;
  return {
    ...nestsPlan(new ModePlan({ ...context, outOfCache }, cached), nests),
    rule: first.rule,
    passed: first.passed,
    alignmentBytes,
    fromChildren: Math.ceil(least / childBytes),
    keepsAlignment: counted.targetBytes % alignmentBytes === 0,
  };
}
