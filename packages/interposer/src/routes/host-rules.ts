import { byLengths } from "./by-lengths.js";
import type { HostMessage, HostWay } from "./host-times.js";

/** Messages of so many packed bytes and more, in runs of so many and more; of rules that fit the last counts. */
export interface HostRule extends HostMessage {
  readonly way: HostWay;
}

type Change = Pick<HostRule, "bytes" | "way">;

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

const rulesOf = (timeOf: HostTimeOf, runs: readonly number[], isOfColumns: boolean): readonly HostRule[] =>
  byLengths(runs, (runBytes) => changesOf(timeOf, runBytes, isOfColumns)).flatMap(({ least, changes }) =>
    changes.map((change) => ({ ...change, runBytes: least, isOfColumns })),
  );

/** Where the way changes from size to size. */
function changesOf(timeOf: HostTimeOf, runBytes: number, isOfColumns: boolean): readonly Change[] {
  const changes: Change[] = [];
  for (const bytes of SIZES) {
    const message = { bytes, runBytes, isOfColumns };
    const way = timeOf("past", message) < WORTH * timeOf("through", message) ? "past" : "through";
    if (way !== changes.at(-1)?.way) changes.push({ bytes, way });
  }
  return changes;
}
