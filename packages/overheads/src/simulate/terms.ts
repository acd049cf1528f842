import { MOST_FITTED_RANKS } from "../model/project.js";
import { fitLine, median } from "../model/fit.js";
import { figurePoints, type FigurePoint } from "../results/figure-points.js";
import type { OverheadRow } from "../results/row.js";

/** What a halo exchange is made of, in nanoseconds. */
export interface Terms {
  /** The time that one message costs at its sender or its receiver, without what follows. */
  readonly stackNs: number;
  /** The time to make a request, and to end it. */
  readonly requestNs: number;
  /** The time for each receive that is posted before the one that a message matches. */
  readonly matchNs: number;
  /** The time for each message that waits before the one that a receive asks for. */
  readonly unexpectedNs: number;
  /** The time for each request that MPI_Waitany is given. */
  readonly waitanyNs: number;
  /** The time to check the arguments of one call; 0 where the MPI cannot leave it out. */
  readonly checkNs: number;
  /** The time to pack or unpack one byte where every other element is left out, over one that lies side by side. */
  readonly packNsPerByte: number;
  /** The time for each rank that MPI_Alltoallv is told of. */
  readonly alltoallvNsPerRank: number;
  /** The time from a sender to its receiver, without that of the bytes. */
  readonly wireNs: number;
  /** The time from a sender to its receiver for each byte. */
  readonly wireNsPerByte: number;
}

/** A network in place of the shared memory that was measured. */
export type Wire = Pick<Terms, "wireNs" | "wireNsPerByte">;

const SMALL_BYTES = 8;

/** Terms of one MPI, by what was measured of its C programs. Throws an error of one line that names what is missing. */
export function termsOf(rows: readonly OverheadRow[], mpi: string, wire?: Wire): Terms {
  const own = rows.filter((row) => row.mpi === mpi && row.by === "c");
  const points = figurePoints(own);
  const small = (panel: string, series: string, experiment: string): number =>
    need(`${series} of ${experiment}`, smallest(points, experiment, panel, series));
  const transport = smallest(points, "stack", "latency", "shared memory") ?? 0;
  const slope = (experiment: string, panel: string, series = "MPI"): number => slopeOf(own, experiment, panel, series);
  const long = (series: string): number => slope("datatypes", "long", series);
  const call = (series: string) => smallest(points, "checking", "call", series);
  return {
    stackNs: Math.max(0, small("latency", "MPI", "stack") - transport) / 2,
    requestNs: Math.max(0, small("overhead", "nonblocking", "requests")),
    matchNs: slope("matching", "requests"),
    unexpectedNs: slope("unexpected", "messages"),
    waitanyNs: slope("waitany", "requests"),
    checkNs: Math.max(0, (call("checked") ?? 0) - (call("unchecked") ?? Infinity)),
    packNsPerByte: Math.max(0, long("double") - long("contiguous")) / 2,
    alltoallvNsPerRank: alltoallvSlope(own),
    wireNs: wire?.wireNs ?? transport,
    wireNsPerByte: wire?.wireNsPerByte ?? long("contiguous"),
  };
}

/** One world alone has no slope. */
function alltoallvSlope(rows: readonly OverheadRow[]): number {
  const worlds = new Set(
    rows.filter(({ panel, ranks }) => panel === "alltoallv" && ranks <= MOST_FITTED_RANKS).map(({ ranks }) => ranks),
  );
  if (worlds.size >= 2) return slopeOf(rows, "sparse", "alltoallv", "MPI");
  const got = [...worlds].join(", ") || "none";
  throw new Error(
    `--project: expected sparse to be measured in two worlds of at most ${MOST_FITTED_RANKS} ranks, got ${got}`,
  );
}

function need(what: string, value: number | undefined): number {
  if (value === undefined) throw new Error(`--project: expected ${what} to be measured, got no rows of it`);
  return value;
}

/** The median of all worlds at the place nearest to a small message. */
function smallest(
  points: readonly FigurePoint[],
  experiment: string,
  panel: string,
  series: string,
): number | undefined {
  const own = points.filter((p) => p.experiment === experiment && p.panel === panel && p.series === series);
  const nearest = Math.min(...own.map(({ x }) => Math.abs(x - SMALL_BYTES)));
  return median(own.filter(({ x }) => Math.abs(x - SMALL_BYTES) === nearest).map(({ y }) => y));
}

/** By what the axis counts, in worlds that models are fitted on. */
function slopeOf(rows: readonly OverheadRow[], experiment: string, panel: string, series: string): number {
  const own = rows.filter(
    (row) =>
      row.experiment === experiment && row.panel === panel && row.series === series && row.ranks <= MOST_FITTED_RANKS,
  );
  const line = own.length === 0 ? undefined : fitLine(own.map(({ x, medianNs }) => ({ x, y: medianNs })));
  return need(`${series} of ${experiment}, ${panel}`, line?.slope);
}
