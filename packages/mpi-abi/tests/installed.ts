import { familyOfLibrary, findMpis, isStandardLibrary, type MpiFamily } from "../src/index.js";

/** What installs both MPIs here, or says which command does. */
export const ADVICE = "node scripts/set-up-mpi.mjs";

/** The library of one family on this machine, of its own ABI or the standard's; undefined where it is not installed. */
export const installed = (family: MpiFamily, isStandard = false): string | undefined =>
  findMpis({ ...process.env, STOWAGE_MPI: "" }).find(
    (path) => familyOfLibrary(path) === family && isStandardLibrary(path) === isStandard,
  );
