import type { Environment } from "@stowage/mpi-abi";

/** The place of this process among the ranks of an mpirun that started it; undefined for one that started alone. */
export interface StartedUnder {
  /** This process's rank, from 0. */
  readonly rank: number;
  /** How many ranks the mpirun started. */
  readonly ranks: number;
  readonly family: "openmpi" | "mpich";
}

/**
 * Finds that place by what launchers leave in the environment: MPI itself is not started, for each experiment starts
 * its own ranks.
 */
export function startedUnder(environment: Environment): StartedUnder | undefined {
  const { OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK, PMI_SIZE, PMI_RANK } = environment;
  if (OMPI_COMM_WORLD_SIZE !== undefined)
    return { family: "openmpi", ranks: Number(OMPI_COMM_WORLD_SIZE), rank: Number(OMPI_COMM_WORLD_RANK) };
  if (PMI_SIZE === undefined) return undefined;
  return { family: "mpich", ranks: Number(PMI_SIZE), rank: Number(PMI_RANK) };
}
