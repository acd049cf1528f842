import type { HostMessage, HostWay } from "./host-times.js";

/** Messages of so many packed bytes and more, in runs of so many and more; of rules that fit the last counts. */
export interface HostRule extends HostMessage {
  readonly way: HostWay;
}

/** What a message takes, one way. */
export type HostTimeOf = (way: HostWay, message: HostMessage) => number;

/** Shorter messages go through the MPI; longer ones as those do. */
const SIZES = Array.from({ length: 13 }, (_, i) => 2 ** (12 + i));
/** Lengths that are predicted, each for runs from there to the next; a column's runs are half a line at most. */
const RUNS = [8, 64, 512, 4096];
const RUNS_OF_COLUMNS = [8, 16, 32];
/** Predictions are not so good that less than this counts. */
const WORTH = 0.95;

/** By sizes, and by runs where they make a difference: of any elements first, then of columns. */
export const hostRules = (timeOf: HostTimeOf): readonly HostRule[] => [
  ...rulesOf(timeOf, RUNS, false),
  ...rulesOf(timeOf, RUNS_OF_COLUMNS, true),
];

function rulesOf(timeOf: HostTimeOf, runs: readonly number[], isOfColumns: boolean): readonly HostRule[] {
  const ofRuns = runs.map((runBytes) => rulesOfRuns(timeOf, runBytes, isOfColumns));
  return ofRuns
    .map((rules, i) => (i === 0 ? rules.map((rule) => ({ ...rule, runBytes: 0 })) : rules))
    .filter((rules, i) => i === 0 || !areEqual(rules, ofRuns[i - 1] ?? []))
    .flat();
}

const areEqual = (a: readonly HostRule[], b: readonly HostRule[]): boolean =>
  a.length === b.length && a.every(({ bytes, way }, i) => bytes === b[i]?.bytes && way === b[i]?.way);

/** Where the way changes from size to size. */
function rulesOfRuns(timeOf: HostTimeOf, runBytes: number, isOfColumns: boolean): readonly HostRule[] {
  const rules: HostRule[] = [];
  for (const bytes of SIZES) {
    const message = { bytes, runBytes, isOfColumns };
    const way = timeOf("past", message) < WORTH * timeOf("through", message) ? "past" : "through";
    if (way !== rules.at(-1)?.way) rules.push({ ...message, way });
  }
  return rules;
}
