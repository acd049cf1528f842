// The MPIs of this machine: whose library it is, what compiles for it, and how a program of several ranks is started.
import { familyOfLibrary, findMpis, isStandardLibrary, mpiTools } from "@stowage/mpi-abi";
import { output } from "./programs.mjs";

export const MPI = { mpi: { kind: "text", of: ["openmpi", "mpich"], says: "one of the MPIs" } };

/** More ranks than processors, and as root, are fine with us. */
export const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
const BOUND = { openmpi: ["--bind-to", "core"], mpich: ["-bind-to", "core"] };

/** Each family's library of its own ABI, or the one that is asked for. */
export function mpisHere({ mpi: asked } = {}) {
  const libraries = findMpis({ ...process.env, STOWAGE_MPI: "" }).filter((path) => !isStandardLibrary(path));
  const families = MPI.mpi.of.filter((family) => asked === undefined || asked === family);
  const found = families.flatMap((family) => {
    const library = libraries.find((path) => familyOfLibrary(path) === family);
    return library === undefined ? [] : [mpiOf(library)];
  });
  if (found.length === 0) throw new Error(`${families.join(" or ")}: expected an MPI on this machine, got none`);
  return found;
}

function mpiOf(library) {
  const { family, compiler, launcher } = mpiTools(library);
  return {
    family,
    compile: (program, source) => output(compiler, ["-O2", "-o", program, source]),
    /** What the ranks printed. */
    launch(ranks, command, { bound = false, ...options } = {}) {
      const where = [...(family === "openmpi" ? ["--oversubscribe"] : []), ...(bound ? BOUND[family] : [])];
      const env = { ...process.env, ...AS_ROOT, STOWAGE_MPI: library };
      return output(launcher, [...where, "-n", ranks, ...command].map(String), { env, ...options });
    },
  };
}
