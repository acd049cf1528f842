// The MPIs that benches run under, as Debian's packages install them; for the standard's ABI with the compiler wrappers
// that scripts/in-debian.mjs brings.
import { mpiIdentity } from "@stowage/interposer";

export const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

const LAUNCHERS = { openmpi: ["mpirun.openmpi", "--oversubscribe"], mpich: ["mpiexec.mpich"] };
const mpiOf = (family, name, compiler) => ({ family, name, compiler, launch: LAUNCHERS[family] });
export const MPIS = [
  mpiOf("openmpi", "openmpi", "mpicc.openmpi"),
  mpiOf("mpich", "mpich", "mpicc.mpich"),
  mpiOf("openmpi", "openmpi-abi", "mpicc_abi.openmpi"),
  mpiOf("mpich", "mpich-abi", "mpicc_abi.mpich"),
];

/** Throws one line where there is none of that name. */
export function mpiNamed(name) {
  const found = MPIS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`--mpi: expected ${MPIS.map((each) => each.name).join(", ")}, got ${name}`);
  return found;
}

/** Name and release; of the standard's ABI the release of the MPI below: mpich-5.0.2-abi. */
export function releaseOf({ family, name }) {
  const { version } = mpiIdentity(`mpicc.${family}`);
  return `${family}-${version}${name.slice(family.length)}`;
}
