import type { Environment, MpiFamily } from "@stowage/mpi-abi";

/** In the order of the paper's section 3. */
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
export type ExperimentName = (typeof EXPERIMENT_NAMES)[number];

/** Axes of one panel of a figure. */
export interface Panel {
  readonly name: string;
  readonly title: string;
  readonly x: string;
  /** Default: half a round trip, in nanoseconds. */
  readonly y: string;
  readonly scale: "log" | "linear";
}

/** A C program of the folder c, and how it is started. */
export interface Program {
  readonly name: string;
  readonly args?: readonly string[];
  /** Ranks that it starts, whatever is asked for. Default: what is asked for. */
  readonly ranks?: number;
  /** Whether each rank keeps to a core. Default: true, where there are as many. */
  readonly bound?: boolean;
  readonly libraries?: readonly string[];
  /** Where it does not compile nothing is said: it needs what few machines have. */
  readonly optional?: boolean;
  /** What it measures nothing without, in words. Default: nothing. */
  readonly needs?: string;
  readonly environment?: (family: MpiFamily) => Environment;
}

/** One of the ten overheads. */
export interface Experiment {
  readonly name: ExperimentName;
  /** The section of the paper (Balaji et al. 2010). */
  readonly section: string;
  readonly title: string;
  readonly leastRanks: number;
  readonly programs: readonly Program[];
  readonly panels: readonly Panel[];
}
