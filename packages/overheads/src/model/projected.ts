import type { OverheadRow } from "../results/row.js";
import { simulateHalo, type HaloTimes } from "../simulate/halo-exchange.js";
import { termsOf, type Terms, type Wire } from "../simulate/terms.js";
import { project, type Projection } from "./project.js";

/** What to project. */
export interface ProjectOptions {
  /** The most ranks: figures end there. */
  readonly ranks: number;
  /** Points of the simulated global grid in each dimension. */
  readonly gridPoints: number;
  /** The network of the simulation. Default: the memory by which the measured ranks reached each other. */
  readonly wire?: Wire;
  /** How many exchanges are simulated. */
  readonly iterations: number;
  /** The mean delay of each rank before each exchange, in nanoseconds. */
  readonly skewNs: number;
  /** The seed of the delays: equal seeds give equal figures. */
  readonly seed: number;
}

/** The models of one MPI, and halo exchanges made of its terms. */
export interface Projected {
  readonly mpi: string;
  readonly models: readonly Projection[];
  readonly terms: Terms;
  readonly halos: readonly HaloTimes[];
}

/** The paper's figures begin and end there. */
const LEAST_RANKS = 32;
const LEAST_SIMULATED_RANKS = 4096;

/** What `stowage overheads --project` takes unless told otherwise. */
export const PROJECT_DEFAULTS: Omit<ProjectOptions, "ranks"> = {
  gridPoints: 1024,
  iterations: 4,
  skewNs: 1000,
  seed: 1,
};

/** Projects each MPI of some rows. Throws an error of one line that names what was not measured. */
export function projectOverheads(rows: readonly OverheadRow[], options: ProjectOptions): readonly Projected[] {
  return [...new Set(rows.map(({ mpi }) => mpi))].map((mpi) => {
    const models = project(
      rows.filter((row) => row.mpi === mpi),
      powersOfTwo(LEAST_RANKS, options.ranks),
    );
    const terms = termsOf(rows, mpi, options.wire);
    const counts = powersOfTwo(Math.min(LEAST_SIMULATED_RANKS, options.ranks), options.ranks);
    const halos = (["messages", "alltoallv"] as const).flatMap((mode) =>
      counts.map((ranks) => simulateHalo({ ...options, ranks, mode, terms })),
    );
    return { mpi, models, terms, halos };
  });
}

/** From the first on, doubled, and the last in any case. */
function powersOfTwo(first: number, last: number): readonly number[] {
  return first >= last ? [last] : [first, ...powersOfTwo(2 * first, last)];
}
