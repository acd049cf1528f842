import { basename } from "node:path";
import { findMpis, type MpiFamily } from "../src/index.js";

/** What installs both MPIs here, or says which command does. */
export const ADVICE = "node scripts/set-up-mpi.mjs";

/** The library of one family on this machine; undefined where it is not installed. */
export function installed(family: MpiFamily): string | undefined {
  return findMpis({ ...process.env, STOWAGE_MPI: "" }).find((path) => familyOf(path) === family);
}

// By file name, as loading is what the tests are about: Open MPI is libmpi.so.40, MPICH the others.
const familyOf = (path: string): MpiFamily => (basename(path).startsWith("libmpi.so.40") ? "openmpi" : "mpich");
