import type { Stream } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import type { OutOfCachePlan, OutOfCacheRule } from "./out-of-cache-rule.js";
import type { PassedRule } from "./rule.js";
import { isMostlyLong, longRuns } from "./rules/out-of-cache/long-runs.js";
import { nonTemporalColumns } from "./rules/out-of-cache/non-temporal-columns.js";
import { nonTemporalRuns } from "./rules/out-of-cache/non-temporal-runs.js";
import { paddedBlocks } from "./rules/out-of-cache/padded-blocks.js";
import { MOST_IMMEDIATE } from "../widths.js";

/**
 * In the order in which they are asked: the best first, each whose plan is there taken where the target is aligned for
 * it.
 */
export const OUT_OF_CACHE_RULES: readonly OutOfCacheRule[] = [
  nonTemporalColumns,
  nonTemporalRuns,
  longRuns,
  paddedBlocks,
];

/** What full packs that the caches do not hold are moved by, and why not otherwise. */
export interface OutOfCacheChoice {
  /** The best first; none where nothing is gained. */
  readonly plans: readonly (OutOfCachePlan & { readonly rule: string })[];
  readonly passed: readonly PassedRule[];
}

const NONE: OutOfCacheChoice = {
  plans: [],
  passed: [{ rule: "mode out of cache", reason: "nonTemporalBytes is off" }],
};

/** `perElement`: children of `stream` in one element. */
export function chooseOutOfCache(context: LoopContext, stream: Stream, perElement: number): OutOfCacheChoice {
  if (!(context.tuning.nonTemporalBytes <= MOST_IMMEDIATE)) return NONE;
  let known: boolean | undefined;
  const elements = {
    stream,
    sizeBytes: stream.child.sizeBytes * perElement,
    isMostlyLong: () => (known ??= isMostlyLong(stream)),
  };
  const plans: OutOfCacheChoice["plans"][number][] = [];
  const passed: PassedRule[] = [];
  for (const { name, plan, isEnough } of OUT_OF_CACHE_RULES) {
    const found = plan(context, elements);
    if (typeof found === "string") passed.push({ rule: name, reason: found });
    else plans.push({ ...found, rule: name });
    if (typeof found !== "string" && isEnough === true) break;
  }
  return { plans, passed };
}
