import type { Machine, ResultRow, Results } from "@stowage/bench";

/** One result file: contenders in it were interleaved, so that their times can be divided by each other. */
export interface Run extends Results {
  readonly file: string;
}

/** What tells machines apart: times of two are shown side by side, never divided. */
export const machineName = ({ cpu, cores, gpu }: Machine): string =>
  gpu === null ? `${cores} cores of ${cpu}` : `${gpu}, ${cores} cores of ${cpu}`;

export const machinesOf = (runs: readonly Run[]): readonly string[] => [
  ...new Set(runs.map(({ machine }) => machineName(machine))),
];

const BASELINE = "memcpy";

/**
 * The contender that others of a run are measured by where nobody says which: plain copies, or the first that has rows.
 */
export function baselineOf(rows: readonly ResultRow[]): string {
  const hasCopies = rows.some(({ contender }) => contender === BASELINE);
  return hasCopies ? BASELINE : (rows[0]?.contender ?? BASELINE);
}
