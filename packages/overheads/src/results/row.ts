import type { ExperimentName } from "../experiment/experiment.js";

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
