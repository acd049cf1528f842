import { summarise, type Times } from "./sample.js";
import { turnsOf } from "./turns.js";

const COMMITS = 9;
const BUDGET_MS = 50;
/** Fewest, whatever the budget: one of them may meet what else the machine does. */
const LEAST_COMMITS = 3;
const MOST_MS = 2000;

/** Commits afresh, each let go of before the next. */
export type FreshCommit = () => Disposable;

/**
 * The median time of a commit in nanoseconds: of 9 commits, of 3 where one takes 50 ms or more, of 1 from 2 s on. Each
 * is disposed of before the next.
 */
export const medianCommitNs = (commit: FreshCommit): number => (commitTimes([commit])[0] as Times).medianNs;

/** Time of each of some commits, one of each a round: what slows one down for a while slows down all. */
export function commitTimes(commits: readonly FreshCommit[]): readonly Times[] {
  const samples = commits.map((): number[] => []);
  const begin = performance.now();
  for (let round = 0; round < roundsWithin((performance.now() - begin) / commits.length); round++) {
    for (const i of turnsOf(commits.length, round)) samples[i]?.push(timeOf(commits[i] as FreshCommit));
  }
  return samples.map(summarise);
}

const roundsWithin = (msEach: number): number => (msEach < BUDGET_MS ? COMMITS : msEach < MOST_MS ? LEAST_COMMITS : 1);

function timeOf(commit: FreshCommit): number {
  const begin = performance.now();
  const committed = commit();
  const ns = (performance.now() - begin) * 1e6;
  committed[Symbol.dispose]();
  return ns;
}
