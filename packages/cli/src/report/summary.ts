import { cellKey, grouped, modeOf, type Mode, type ResultRow } from "@stowage/bench";
import { baselineOf, machineName, type Run } from "./run.js";

/** One contender over another on one machine, on every cell that one run has of both. */
export interface SpeedUp {
  readonly machine: string;
  readonly contender: string;
  readonly against: string;
  readonly direction: ResultRow["direction"];
  readonly mode: Mode;
  readonly cells: number;
  readonly geometricMean: number;
  readonly least: { readonly workload: string; readonly packedBytes: number; readonly ratio: number };
}

/** A row, how many times as fast it is as the baseline of its own run, and which that is. */
export interface RatioRow {
  readonly machine: string;
  readonly against: string;
  readonly row: ResultRow;
  readonly ratio: number;
}

/**
 * Every row over the baseline's of the same cell of the same run. Throws one line where no run has such a contender.
 */
export function ratiosOf(runs: readonly Run[], against: string | undefined): readonly RatioRow[] {
  const known = new Set(runs.flatMap(({ rows }) => rows.map(({ contender }) => contender)));
  if (against !== undefined && !known.has(against)) {
    throw new Error(`--against: expected one of ${[...known].join(", ")}, got ${against}`);
  }
  return runs.flatMap((run) => ratiosOfRun(run, against ?? baselineOf(run.rows)));
}

function ratiosOfRun({ machine, rows }: Run, against: string): readonly RatioRow[] {
  const theirs = new Map(rows.filter(({ contender }) => contender === against).map((row) => [cellKey(row), row]));
  return rows.flatMap((row) => {
    const other = theirs.get(cellKey(row));
    if (other === undefined || row.contender === against) return [];
    return [{ machine: machineName(machine), against, row, ratio: other.medianNs / row.medianNs }];
  });
}

/** Every contender's speed-up over the baselines, by machine, direction and mode. */
export function summarise(runs: readonly Run[], against?: string): readonly SpeedUp[] {
  const groups = grouped(ratiosOf(runs, against), ({ machine, against: baseline, row }) =>
    JSON.stringify([machine, row.contender, baseline, row.direction, modeOf(row)]),
  );
  return [...groups.values()].map(speedUp);
}

function speedUp(ratios: readonly RatioRow[]): SpeedUp {
  const [first, ...rest] = ratios as readonly [RatioRow, ...RatioRow[]];
  const least = rest.reduce((worst, one) => (one.ratio < worst.ratio ? one : worst), first);
  const { contender, direction } = first.row;
  return {
    machine: first.machine,
    contender,
    against: first.against,
    direction,
    mode: modeOf(first.row),
    cells: ratios.length,
    geometricMean: Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length),
    least: { workload: least.row.workload, packedBytes: least.row.packedBytes, ratio: least.ratio },
  };
}
