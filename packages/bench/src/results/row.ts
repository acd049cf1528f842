import { ArgumentError, requireObject } from "@stowage/ir";
import { requireNumber } from "../require-value.js";

/** The form of result files; fields are added to it, none is changed. */
export const SCHEMA = "stowage-results/1";

/**
 * What a row's times are of: the public call with other views each time, a plan that was bound once and runs again and
 * again, or one that is bound anew before each run.
 */
export const ALL_MODES = ["call", "bound", "rebind"] as const;
/** How a contender is called in a row. */
export type Mode = (typeof ALL_MODES)[number];

/** Those that every bench of datatypes measures. */
export const MODES = ["call", "bound"] as const satisfies readonly Mode[];
/** How a cell may be measured. */
export type CellMode = (typeof MODES)[number];

export const DIRECTIONS = ["pack", "unpack", "copy"] as const;

/** Where packed bytes end, and how they get there. */
export const ROUTES = ["host", "device", "one-shot", "staged", "pipelined", "dma"] as const;

/** One measurement: a contender on a workload in one direction. Times are of one call. */
export interface ResultRow {
  readonly workload: string;
  readonly count: number;
  readonly packedBytes: number;
  readonly direction: (typeof DIRECTIONS)[number];
  readonly route: (typeof ROUTES)[number];
  readonly contender: string;
  /** How the contender was called. Absent: bound. */
  readonly mode?: Mode | undefined;
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** Samples that the median is of. */
  readonly runs: number;
  /** A row whose output was not checked is not written. */
  readonly verified: true;
  /** Nanoseconds to choose and compile, once; 0 for contenders that commit nothing and benches that do not time it. */
  readonly commitNs: number;
  /** Nanoseconds of the quickest commit of those that commitNs is the median of. */
  readonly commitMinNs?: number | undefined;
  /** Median time on the device, between events before and after the work; the rest of medianNs is the host's. */
  readonly eventNs?: number | undefined;
  /**
   * Nanoseconds to describe the datatype before it is committed, and to let go of it; where a comparison timed them.
   */
  readonly createNs?: number | undefined;
  readonly freeNs?: number | undefined;
  /** Nanoseconds to choose and compile as the first commit of a process. */
  readonly firstCommitNs?: number | undefined;
}

/** The machine of a results file. */
export interface Machine {
  readonly cpu: string;
  /** Its vendor, family, model and stepping; not in older files, null where the system does not tell. */
  readonly processor?: string | null | undefined;
  readonly cores: number;
  readonly gpu: string | null;
  readonly driver: string | null;
  readonly node: string;
}

/** One run of a bench: what `stowage bench` writes and `stowage report` reads. */
export interface Results {
  readonly schema: typeof SCHEMA;
  readonly command: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly rows: readonly ResultRow[];
}

/** The mode of a row; rows of older files have none, and were bound. */
export const modeOf = (row: Pick<ResultRow, "mode">): Mode => requireObject(row, "row", "a row of results").mode ?? "bound";

/** Bytes moved a nanosecond, which is GB/s. */
export const bandwidth = (row: ResultRow): number => {
  const { packedBytes, medianNs } = requireObject(row, "row", "a row of results");
  return requireNumber(packedBytes, "packed bytes of a row") / requireNumber(medianNs, "median time of a row");
};

/** Rows can be compared where workload, count, size, direction, route and mode are equal. */
export function cellKey(row: ResultRow): string {
  const mode = modeOf(row);
  const parts = [row.workload, row.count, row.packedBytes, row.direction, row.route, mode];
  if (parts.some((part) => typeof part !== "string" && typeof part !== "number"))
    throw new ArgumentError("row", "texts and numbers", "another value");
  return JSON.stringify(parts);
}

/**
 * What the rows of a file are: datatypes that were moved, where a file says nothing else; other work in time; or other
 * figures.
 */
export const KINDS = ["moves", "times", "figures"] as const;
/** The kind of a results file: what its rows are. */
export type Kind = (typeof KINDS)[number];

/** A row of any kind: a contender at a workload, and what was found of it. */
export interface AnyRow {
  readonly workload: string;
  readonly contender: string;
  readonly [fact: string]: unknown;
}

/** One run of an experiment: rows of one kind, and what else it found. */
export interface AnyResults extends Omit<Results, "rows"> {
  readonly kind: Kind;
  /** The experiment whose `text` and `plot` show the rows. */
  readonly experiment?: string | undefined;
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly rows: readonly AnyRow[];
}
