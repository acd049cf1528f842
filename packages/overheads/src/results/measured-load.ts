import type { ExperimentName } from "../experiment/experiment.js";
import type { Load } from "../load/load.js";
import type { Caller } from "./row.js";

/** The load while one program ran. */
export interface MeasuredLoad extends Load {
  /** The MPI, such as `openmpi-4.1.4`. */
  readonly mpi: string;
  /** How many ranks the program ran on. */
  readonly ranks: number;
  readonly by: Caller;
  /** The experiments that it measured: one, of a program in C; all that were asked for, of the bridge's program. */
  readonly experiments: readonly ExperimentName[];
}
