import { basename } from "node:path";
import type { MpiFamily } from "../abi/abi.js";
import { readSharedObject } from "./shared-object.js";

/** What Open MPI's libraries are, or are linked with: from 6.0 on those of both its ABIs share libopen_mpi. */
const OPEN_MPI = /^(libmpi\.so\.(20|40)|libopen[-_](pal|mpi)\.so\.\d+)$/;

/**
 * The MPI that a library belongs to which findMpis found, without loading it: by the names that it and those which it
 * needs have for the loader (DT_SONAME, DT_NEEDED; System V ABI), since those of the standard's ABI have one name for
 * every MPI. One that cannot be read is taken for what its own name says.
 */
export function familyOfLibrary(path: string): MpiFamily {
  const { soname, needed } = readSharedObject(path) ?? { soname: basename(path), needed: [] };
  return [soname, ...needed].some((name) => OPEN_MPI.test(name)) ? "openmpi" : "mpich";
}

/** Whether a library is of the standard's ABI (MPI 5.0, section 20.2), by its name for the loader. */
export const isStandardLibrary = (path: string): boolean =>
  /^libmpi_abi\.so\.\d+$/.test(readSharedObject(path)?.soname ?? "");
