import type { Machine } from "@stowage/bench";
import type { Projected } from "../model/projected.js";
import type { ExperimentName } from "../experiment/experiment.js";

/** The form of files that `stowage overheads --out` writes; fields are added to it, none is changed. */
export const OVERHEADS_SCHEMA = "stowage-overheads/1";

/** Who called MPI: a small C program, or Node through the bridge. */
export type Caller = "c" | "bridge";

/** One point of one line of one figure. Times are of what the panel names: a message, a call, an exchange. */
export interface OverheadRow {
  /** Such as `openmpi-4.1.4`. */
  readonly mpi: string;
  readonly ranks: number;
  readonly experiment: ExperimentName;
  /** A figure has one or more, each with axes of its own. */
  readonly panel: string;
  readonly series: string;
  readonly by: Caller;
  /** Bytes, requests, peers, ranks: what the panel's axis says. */
  readonly x: number;
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  readonly samples: number;
}

/** One run: what `stowage overheads` writes and `stowage report` compares. */
export interface OverheadResults {
  readonly schema: typeof OVERHEADS_SCHEMA;
  readonly command: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  /** What could not be measured and why, one line each. */
  readonly remarks: readonly string[];
  readonly rows: readonly OverheadRow[];
  /** What `--project` made of the rows. */
  readonly projected?: readonly Projected[];
}
