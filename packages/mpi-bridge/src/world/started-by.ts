import {
  familyOfLibrary,
  findMpis,
  loadMpi,
  MpiLibraryError,
  type Environment,
  type Mpi,
  type MpiFamily,
} from "@stowage/mpi-abi";

/**
 * Whose launcher started this process, by what it left in the environment; undefined for a process that started alone.
 */
export function launcherOf(environment: Environment): MpiFamily | undefined {
  if (environment["OMPI_COMM_WORLD_SIZE"] !== undefined) return "openmpi";
  if (environment["PMI_SIZE"] !== undefined || environment["PMIX_RANK"] !== undefined) return "mpich";
  return undefined;
}

/**
 * The MPI whose launcher started this process, or else the first that is found. Throws a MpiLibraryError where the one
 * that is named belongs to another launcher: every process would then be a world of one.
 */
export function loadLaunched(path: string | undefined, environment: Environment = process.env): Mpi {
  const launcher = launcherOf(environment);
  const named = path ?? named0(environment);
  const mpi = loadMpi(
    named ?? findMpis(environment).find((found) => launcher === undefined || familyOfLibrary(found) === launcher),
  );
  if (launcher === undefined || mpi.family === launcher) return mpi;
  const [expected, got] = [`the MPI whose mpirun started it (${launcher})`, `${mpi.name} of ${mpi.path}`];
  throw new MpiLibraryError(`process of an MPI program: expected ${expected}, got ${got}`);
}

/** The launcher's library among several in STOWAGE_MPI, else the first. */
function named0(environment: Environment): string | undefined {
  if ((environment["STOWAGE_MPI"] ?? "") === "") return undefined;
  const launcher = launcherOf(environment);
  const found = findMpis(environment);
  return found.find((file) => familyOfLibrary(file) === launcher) ?? found[0];
}
