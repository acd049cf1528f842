import type { ExperimentName } from "../experiment/experiment.js";

/** Who called MPI: a small C program, or Node through the bridge. */
export type Caller = "c" | "bridge";

/** One point of one line of one figure. Times are of what the panel names: a message, a call, an exchange. */
export interface OverheadRow {
  /** The MPI, such as `openmpi-4.1.4`. */
  readonly mpi: string;
  /** How many ranks it was measured on. */
  readonly ranks: number;
  readonly experiment: ExperimentName;
  /** The name of the panel: a figure has one or more, each with axes of its own. */
  readonly panel: string;
  /** The name of the line in the panel, such as "MPI". */
  readonly series: string;
  readonly by: Caller;
  /** The place on the horizontal axis: bytes, requests, peers or ranks, as the panel says. */
  readonly x: number;
  /** The median of all samples. */
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** How many samples there were. */
  readonly samples: number;
}
