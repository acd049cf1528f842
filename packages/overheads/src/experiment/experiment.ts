import type { Environment, MpiFamily } from "@stowage/mpi-abi";

/** The names of the ten experiments, in the order of the paper's section 3 (Balaji et al. 2010). */
export const EXPERIMENT_NAMES = [
  "stack",
  "requests",
  "matching",
  "waitany",
  "datatypes",
  "alignment",
  "unexpected",
  "threads",
  "checking",
  "sparse",
] as const;
/** One of EXPERIMENT_NAMES. */
export type ExperimentName = (typeof EXPERIMENT_NAMES)[number];

/** Axes of one panel of a figure. */
export interface Panel {
  /** The name by which rows tell the panel, such as "latency". */
  readonly name: string;
  /** What the times are of, in words. */
  readonly title: string;
  /** What the horizontal axis counts, such as "bytes of a message". */
  readonly x: string;
  /** The unit of the vertical axis; most are "nanoseconds". */
  readonly y: string;
  /** How both axes are drawn. */
  readonly scale: "log" | "linear";
}

/** A C program of the folder c, and how it is started. */
export interface Program {
  /** The name of its source, without ".c". */
  readonly name: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[];
  /** How many ranks it is started on, whatever is asked for. Default: as many as are asked for. */
  readonly ranks?: number;
  /** Whether each rank keeps to a core. Default: true, where there are as many. */
  readonly bound?: boolean;
  /** The linker's options for libraries, such as "-lucp". Default: none. */
  readonly libraries?: readonly string[];
  /** Whether nothing is said where it does not compile, because it needs what few machines have. Default: false. */
  readonly optional?: boolean;
  /** What it measures nothing without, in words. Default: nothing. */
  readonly needs?: string;
  /** Gives the variables that it runs with, by the MPI. Default: none. */
  readonly environment?: (family: MpiFamily) => Environment;
}

/** One of the ten overheads. */
export interface Experiment {
  readonly name: ExperimentName;
  /** The section of the paper (Balaji et al. 2010), such as "3.1". */
  readonly section: string;
  readonly title: string;
  /** The least number of ranks that it measures anything on. */
  readonly leastRanks: number;
  readonly programs: readonly Program[];
  readonly panels: readonly Panel[];
}
