import type { Prediction } from "@stowage/backend-api";
import type { Tier } from "@stowage/engine";
import type { Taker } from "./taker.js";

/** What a taker says of calls of one count. */
export interface Predicted {
  readonly taker: Taker;
  readonly prediction: Prediction;
}

/** Runs that differ by less are not worth a compilation: predictions are not that good. */
const LEAST_GAIN = 0.05;

/** The least of some predictions; the first of equals. */
export const least = (predicted: readonly Predicted[], costNs: (prediction: Prediction) => number): Predicted =>
  predicted.reduce((best, each) => (costNs(each.prediction) < costNs(best.prediction) ? each : best));

/**
 * Who begins with calls of one count, and who follows: first the least time of commit and one call, then whoever repays
 * its commit soonest, to the end. With an expected number of calls, the least time of all of them alone.
 */
export function tiersOf(predicted: readonly Predicted[], reuse: number | undefined): readonly Predicted[] {
  const total = (calls: number) => (prediction: Prediction) => prediction.commitNs + calls * prediction.runNs;
  if (reuse !== undefined) return [least(predicted, reuse === Infinity ? ({ runNs }) => runNs : total(reuse))];
  const tiers = [least(predicted, total(1))];
  for (;;) {
    const { runNs } = (tiers.at(-1) as Predicted).prediction;
    const better = predicted.filter(({ prediction }) => prediction.runNs < runNs * (1 - LEAST_GAIN));
    if (better.length === 0) return tiers;
    tiers.push(least(better, (prediction) => prediction.commitNs / (runNs - prediction.runNs)));
  }
}

/** Tiers as data for calls of any count from `count` to `next`: what each call saves is a line through both. */
export function tierData(tiers: readonly Predicted[], count: number, next: number): readonly Tier[] {
  return tiers.map(({ taker, prediction }, i) => {
    const before = tiers[i - 1];
    if (before === undefined)
      return { backend: taker.backend, commitNs: prediction.commitNs, savedNsPerCall: 0, savedNsPerElement: 0 };
    const savedNs = (at: number): number => before.taker.predict(at).runNs - taker.predict(at).runNs;
    const savedHere = before.prediction.runNs - prediction.runNs;
    const perElement = next === count ? 0 : Math.max(0, (savedNs(next) - savedHere) / (next - count));
    return {
      backend: taker.backend,
      commitNs: prediction.commitNs,
      savedNsPerCall: Math.max(0, savedHere - perElement * count),
      savedNsPerElement: perElement,
    };
  });
}
