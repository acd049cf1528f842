// The MPIs of this machine: whose library it is, what compiles for it, and how a program of several ranks is started.
import { readFileSync } from "node:fs";
import { familyOfLibrary, findMpis, isStandardLibrary, mpiTools } from "@stowage/mpi-abi";
import { output } from "./programs.mjs";

export const MPI = { mpi: { kind: "text", of: ["openmpi", "mpich"], says: "one of the MPIs" } };

/** More ranks than processors, and as root, are fine with us. */
export const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/**
 * Command words that keep each rank on a processor: of those that this process may use (`taskset`) under MPICH, whose
 * `core` begins with the machine's first. So does Open MPI's, whose releases share no word for other ones.
 */
export const boundTo = (family) =>
  family === "openmpi" ? ["--bind-to", "core"] : ["-bind-to", `user:${processorsAllowed().join(",")}`];

/** `Cpus_allowed_list: 0-3,8` of proc_pid_status(5). */
function processorsAllowed() {
  const [, list] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return list.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

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
      const where = [...(family === "openmpi" ? ["--oversubscribe"] : []), ...(bound ? boundTo(family) : [])];
      const env = { ...process.env, ...AS_ROOT, STOWAGE_MPI: library };
      return output(launcher, [...where, "-n", ranks, ...command].map(String), { env, ...options });
    },
  };
}
