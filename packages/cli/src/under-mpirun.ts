/** What launchers leave in the environment of each process: Open MPI's, MPICH's, and those that follow PMIx. */
const VARIABLES = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

/** Whether this process is one of an MPI program's; told without loading an MPI. */
export const isUnderMpirun = (): boolean => VARIABLES.some((name) => process.env[name] !== undefined);
