import type { ExperimentName } from "../experiment/experiment.js";
import type { Load } from "../load/load.js";
import type { Caller } from "./row.js";

/** The load while one program ran. */
export interface MeasuredLoad extends Load {
  readonly mpi: string;
  readonly ranks: number;
  readonly by: Caller;
  /** One, of a program in C; the bridge's program measures all that were asked for. */
  readonly experiments: readonly ExperimentName[];
}
