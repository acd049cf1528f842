import { grouped } from "@stowage/bench";
import type { OverheadRow } from "./row.js";

/** A point as figures and tables show it: measured, or made of what was. */
export interface FigurePoint extends Pick<
  OverheadRow,
  "mpi" | "ranks" | "experiment" | "panel" | "series" | "by" | "x"
> {
  /** The value, in the unit that the panel's vertical axis says. */
  readonly y: number;
}

/** A panel whose places are limits; their times are what the next byte adds. */
export const EAGER_LIMIT = "eager limit";
const PERCENT = 100;
/** Messages a nanosecond to millions a second. */
const MILLIONS_A_SECOND = 1000;

/** Makes every point of every figure. Of a series that is compared with another, only places that both have. */
export function figurePoints(rows: readonly OverheadRow[]): readonly FigurePoint[] {
  const measured = rows.map((row): FigurePoint => ({
    ...namesOf(row),
    y: row.panel === EAGER_LIMIT ? row.x : row.medianNs,
  }));
  const runs = grouped(rows, ({ mpi, ranks, experiment }) => JSON.stringify([mpi, ranks, experiment]));
  return [...measured, ...[...runs.values()].flatMap(derived)];
}

/**
 * The longest message before the protocol changes from eager to rendezvous, in bytes; undefined where nobody saw a
 * step.
 */
export const eagerLimitOf = (rows: readonly OverheadRow[], mpi: string): number | undefined =>
  rows.find((row) => row.mpi === mpi && row.panel === EAGER_LIMIT)?.x;

const namesOf = ({ mpi, ranks, experiment, panel, series, by, x }: OverheadRow): Omit<FigurePoint, "y"> => ({
  ...{ mpi, ranks, experiment, panel, series, by, x },
});

/** The points of one experiment in one world. */
function derived(rows: readonly OverheadRow[]): readonly FigurePoint[] {
  const [first] = rows;
  if (first === undefined) return [];
  switch (first.experiment) {
    case "stack":
      return [...new Set(rows.map(({ series }) => series))]
        .filter((series) => series !== "MPI" && !series.startsWith("bridge"))
        .flatMap((transport) => [
          ...differences(rows, "MPI", transport, `MPI over ${transport}`),
          ...differences(rows, "bridge", transport, `bridge over ${transport}`),
        ]);
    case "requests":
      return ["", "bridge, "].flatMap((who) =>
        ["nonblocking", "persistent"].flatMap((mode) =>
          differences(rows, `${who}${mode}`, `${who}blocking`, `${who}${mode}`),
        ),
      );
    case "matching":
      return rows.flatMap((row) =>
        row.panel === "requests" && row.x > 0
          ? [{ ...namesOf(row), panel: "per request", y: row.medianNs / row.x }]
          : [],
      );
    case "threads":
      return rows.map((row) => ({ ...namesOf(row), panel: "rate", y: MILLIONS_A_SECOND / row.medianNs }));
    case "checking":
      return [
        ...percents(rows, "checked", "unchecked", "C"),
        ...percents(rows, "bridge, checked", "bridge, unchecked", "bridge"),
      ];
    case "waitany":
    case "datatypes":
    case "alignment":
    case "unexpected":
    case "sparse":
      return [];
  }
}

/** One series of the panel "latency" less another, as the panel "overhead". */
const differences = (rows: readonly OverheadRow[], series: string, under: string, name: string): FigurePoint[] =>
  pairs(rows, series, under).map(([row, base]) => ({
    ...namesOf(row),
    panel: "overhead",
    series: name,
    y: row.medianNs - base.medianNs,
  }));

const percents = (rows: readonly OverheadRow[], series: string, under: string, name: string): FigurePoint[] =>
  pairs(rows, series, under).map(([row, base]) => ({
    ...namesOf(row),
    panel: "percent",
    series: name,
    y: PERCENT * (row.medianNs / base.medianNs - 1),
  }));

function pairs(rows: readonly OverheadRow[], series: string, under: string): (readonly [OverheadRow, OverheadRow])[] {
  const latencies = rows.filter(({ panel }) => panel === "latency");
  return latencies.flatMap((row) => {
    const base = latencies.find((other) => other.series === under && other.x === row.x);
    return row.series === series && base !== undefined ? [[row, base] as const] : [];
  });
}
