import { ALL_MODES, sampleInTurns, type Mode, type Times } from "@stowage/bench";
import { shuffled } from "../shuffled.js";
import type { CallCase } from "./call-case.js";

/** Time of one call in each mode. */
export type CallTimes = Readonly<Record<Mode, Times>>;

/** So that every run of the bench calls in the same order. */
const SEED = 1;
/** Budgets that warm up: what is measured is JavaScript's optimised code, which it takes a while to make. */
const WARM_UP_SHARE = 3;
/** Each case comes so often in a round of calls. */
const REPEATS = 4;

/** Checks every case in every mode, times them interleaved in one random order, and checks again. */
export function measureCalls(cases: readonly CallCase[], budgetMs: number): CallTimes {
  const order = shuffled(Array.from({ length: REPEATS }, () => cases).flat(), SEED);
  const rounds = ALL_MODES.map((mode) => {
    const runs = order.map((each) => each.runs[mode]);
    return () => {
      for (const run of runs) run();
    };
  });
  checkAll(cases);
  const times = sampleInTurns(rounds, { budgetMs, sampleUs: 100, warmUpMs: WARM_UP_SHARE * budgetMs });
  checkAll(cases);
  return Object.fromEntries(
    ALL_MODES.map((mode, i) => [mode, ofOneCall(times[i] as Times, order.length)]),
  ) as CallTimes;
}

function checkAll(cases: readonly CallCase[]): void {
  for (const mode of ALL_MODES) {
    for (const { runs } of cases) runs[mode]();
    for (const { check } of cases) check();
  }
}

const ofOneCall = ({ medianNs, minNs, maxNs, runs }: Times, calls: number): Times => ({
  medianNs: medianNs / calls,
  minNs: minNs / calls,
  maxNs: maxNs / calls,
  runs,
});
