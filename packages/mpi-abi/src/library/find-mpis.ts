import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { MpiLibraryError } from "../errors.js";
import type { Environment } from "./environment.js";
import { isStandardLibrary } from "./family-of-library.js";

/**
 * libmpi.so.40 is Open MPI since 3.0, libmpi.so.12 MPICH and its kin, libmpich.so.12 MPICH as Debian names it.
 */
const LIBRARY = /^lib(?:mpi\.so\.(?:12|40)|mpich\.so\.12)$/;

/**
 * Libraries of the standard's ABI: each MPI has one, beside the loader's others under a name of its own, as in Debian.
 */
const STANDARD = /^libmpi_abi[\w.-]*\.so/;

const SYSTEM_FOLDERS = [
  "/usr/local/lib",
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib64/openmpi/lib",
  "/usr/lib64/mpich/lib",
  "/usr/lib",
];

/**
 * The paths of the MPI libraries of this machine, links resolved, each once. STOWAGE_MPI names them outright (several
 * are separated by colons); otherwise the loader's path, the folders beside each mpirun on PATH, and the system's are
 * searched. Throws a MpiLibraryError where STOWAGE_MPI names a file that is not there.
 */
export function findMpis(environment: Environment = process.env): readonly string[] {
  const named = parts(environment["STOWAGE_MPI"]);
  if (named.length > 0) return unique(named.map(requireFile));
  const folders = [
    ...parts(environment["LD_LIBRARY_PATH"]),
    ...parts(environment["PATH"])
      .filter((folder) => existsSync(join(folder, "mpirun")))
      .flatMap(librariesBeside),
    ...SYSTEM_FOLDERS,
  ];
  // An MPI's own ABI has more than the standard's: it comes first.
  const found = folders.flatMap(librariesIn);
  const isStandard = (path: string): boolean => STANDARD.test(basename(path));
  return unique([...found.filter((path) => !isStandard(path)), ...found.filter(isStandard)]);
}

const parts = (list: string | undefined): readonly string[] =>
  (list ?? "").split(delimiter).filter((part) => part !== "");

const librariesBeside = (folder: string): readonly string[] => [
  join(dirname(folder), "lib"),
  join(dirname(folder), "lib64"),
];

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths.map((path) => realpathSync(path)))];

function requireFile(path: string): string {
  if (existsSync(path)) return path;
  throw new MpiLibraryError(`STOWAGE_MPI: expected the path of an MPI library, got ${path}, which is not there`);
}

function librariesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => LIBRARY.test(name) || STANDARD.test(name))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => LIBRARY.test(basename(path)) || isStandardLibrary(path))
      .filter(existsSync); // not a link to nowhere
  } catch {
    return []; // no such folder
  }
}
