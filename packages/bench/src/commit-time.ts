import { summarise } from "./sample.js";

const COMMITS = 9;
const BUDGET_MS = 50;

/** Median time of committing afresh, each commit let go of before the next. */
export function medianCommitNs(commit: () => Disposable): number {
  const samples: number[] = [];
  const end = performance.now() + BUDGET_MS;
  while (samples.length < COMMITS && (samples.length === 0 || performance.now() < end)) {
    const begin = performance.now();
    const committed = commit();
    samples.push((performance.now() - begin) * 1e6);
    committed[Symbol.dispose]();
  }
  return summarise(samples).medianNs;
}
