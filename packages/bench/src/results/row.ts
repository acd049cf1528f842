import { ArgumentError, requireObject } from "@stowage/ir";
import { requireNumber } from "../require-value.js";

/** The form of result files, in their field `schema`. Fields are added to it, none is changed. */
export const SCHEMA = "stowage-results/1";

/**
 * How a contender is called. "call": by the public call with other views each time; "bound": by a plan that was bound
 * once and runs again and again; "rebind": by a plan that is bound anew before each run.
 */
export const ALL_MODES = ["call", "bound", "rebind"] as const;
/** How a contender is called in a row. */
export type Mode = (typeof ALL_MODES)[number];

/** The modes that every bench of datatypes measures. */
export const MODES = ["call", "bound"] as const satisfies readonly Mode[];
/** How a cell may be measured. */
export type CellMode = (typeof MODES)[number];

export const DIRECTIONS = ["pack", "unpack", "copy"] as const;

/** Where packed bytes end, and how they get there. */
export const ROUTES = ["host", "device", "one-shot", "staged", "pipelined", "dma"] as const;

/** One measurement: a contender on a workload in one direction. Times are of one call, in nanoseconds. */
export interface ResultRow {
  /** The name of the workload or the document. */
  readonly workload: string;
  /** How many elements a call moves. */
  readonly count: number;
  /** The length of the packed stream in bytes. */
  readonly packedBytes: number;
  /** What the call does. */
  readonly direction: (typeof DIRECTIONS)[number];
  /** Where the packed bytes lie, or how they travel between a GPU and the host. */
  readonly route: (typeof ROUTES)[number];
  /** What moved the bytes: a backend, an MPI with its version, a compiled loop, or memcpy. */
  readonly contender: string;
  /** How the contender was called. Absent in older files: "bound". */
  readonly mode?: Mode | undefined;
  /** The median of the samples, in nanoseconds. */
  readonly medianNs: number;
  /** The least sample, in nanoseconds. */
  readonly minNs: number;
  /** The greatest sample, in nanoseconds. */
  readonly maxNs: number;
  /** How many samples were taken. */
  readonly runs: number;
  /** Always true: a row whose output was not checked is not written. */
  readonly verified: true;
  /**
   * Median nanoseconds to choose and compile, once; 0 for contenders that commit nothing, and in benches that do not
   * time it.
   */
  readonly commitNs: number;
  /** Nanoseconds of the quickest of the commits that commitNs is the median of. */
  readonly commitMinNs?: number | undefined;
  /**
   * The median time on the device in nanoseconds, between events before and after the work; the rest of medianNs is the
   * host's.
   */
  readonly eventNs?: number | undefined;
  /** Nanoseconds to describe the datatype before it is committed; only in comparisons that time it. */
  readonly createNs?: number | undefined;
  /** Nanoseconds to let go of the datatype; only in comparisons that time it. */
  readonly freeNs?: number | undefined;
  /** Nanoseconds to choose and compile as the first commit of a process. */
  readonly firstCommitNs?: number | undefined;
}

/** The machine of a results file. */
export interface Machine {
  /** The processor's model name. */
  readonly cpu: string;
  /** The processor's vendor, family, model and stepping. Absent in older files; null where the system does not tell. */
  readonly processor?: string | null | undefined;
  /** How many processors the system shows. */
  readonly cores: number;
  /** The name of the GPU; null where none was used, "simulated" for the simulated one. */
  readonly gpu: string | null;
  /** The versions of the GPU's driver; null where none was used. */
  readonly driver: string | null;
  /** The version of Node, as `process.version` has it. */
  readonly node: string;
}

/** One run of a bench: what `stowage bench` writes and `stowage report` reads. */
export interface Results {
  /** The form of the file. */
  readonly schema: typeof SCHEMA;
  /** The command that wrote it, as a user would type it. */
  readonly command: string;
  /** When it began, in ISO 8601 and UTC. */
  readonly date: string;
  /** The commit of Stowage, as commitHash gives it. */
  readonly commit: string;
  /** The machine that it ran on. */
  readonly machine: Machine;
  /** The measurements. */
  readonly rows: readonly ResultRow[];
}

/** The mode of a row; a row of an older file has none, and was bound. Throws an ArgumentError for what is no row. */
export const modeOf = (row: Pick<ResultRow, "mode">): Mode => requireObject(row, "row", "a row of results").mode ?? "bound";

/** Packed bytes moved a nanosecond, which is GB/s (10^9 bytes a second). Throws an ArgumentError for what is no row. */
export const bandwidth = (row: ResultRow): number => {
  const { packedBytes, medianNs } = requireObject(row, "row", "a row of results");
  return requireNumber(packedBytes, "packed bytes of a row") / requireNumber(medianNs, "median time of a row");
};

/**
 * A text that is equal for rows that can be compared: their workload, count, size, direction, route and mode are equal.
 * Throws an ArgumentError for what is no row.
 */
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
/**
 * The kind of a results file: what its rows are. "moves": ResultRow; "times" and "figures": other measurements of an
 * experiment.
 */
export type Kind = (typeof KINDS)[number];

/** A row of any kind: a contender at a workload, and the facts that were found of it. */
export interface AnyRow {
  /** What was measured. */
  readonly workload: string;
  /** Who did it. */
  readonly contender: string;
  readonly [fact: string]: unknown;
}

/** One run of an experiment: rows of one kind, and what else it found. */
export interface AnyResults extends Omit<Results, "rows"> {
  /** What the rows are. */
  readonly kind: Kind;
  /** The name of the experiment, whose `text` and `plot` show the rows. */
  readonly experiment?: string | undefined;
  /** What else the run found, by name. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** The rows, of the file's kind. */
  readonly rows: readonly AnyRow[];
}
