import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { MpiFamily } from "../abi/abi.js";
import type { Environment } from "./environment.js";
import { familyOfLibrary, isStandardLibrary } from "./family-of-library.js";

/** The programs that belong to an MPI library. */
export interface MpiTools {
  readonly family: MpiFamily;
  /** The path or name of its compiler wrapper, mpicc; undefined where it is not installed. */
  readonly compiler: string | undefined;
  /** The path or name of what starts ranks, mpirun or mpiexec; undefined where it is not installed. */
  readonly launcher: string | undefined;
}

/** Debian's names come first: there a plain name is of whichever MPI was chosen last. */
const COMPILERS: Readonly<Record<MpiFamily, readonly string[]>> = {
  openmpi: ["mpicc.openmpi", "mpicc"],
  mpich: ["mpicc.mpich", "mpicc"],
};
const LAUNCHERS: Readonly<Record<MpiFamily, readonly string[]>> = {
  openmpi: ["mpirun.openmpi", "mpirun"],
  mpich: ["mpiexec.mpich", "mpiexec.hydra", "mpiexec"],
};
/** Compilers of the standard's ABI: what one of them compiles runs under every MPI. */
const STANDARD_COMPILERS = ["mpicc_abi", "mpicc.mpi_abi_mpich"];
const LIMIT_MS = 10_000;

/**
 * The compiler and the launcher of a library that findMpis found: beside it, or on PATH. STOWAGE_MPICC and
 * STOWAGE_MPIRUN name them outright. A program of another MPI is never taken: its ranks would each be a world of one.
 */
export function mpiTools(library: string, environment: Environment = process.env): MpiTools {
  const family = familyOfLibrary(library);
  const first = (names: readonly string[], named: string | undefined): string | undefined =>
    named ?? candidates(library, names).find((command) => familyOf(command) === family);
  return {
    family,
    compiler: isStandardLibrary(library)
      ? (environment["STOWAGE_MPICC"] ?? candidates(library, STANDARD_COMPILERS).find(isStandardCompiler))
      : first(COMPILERS[family], environment["STOWAGE_MPICC"]),
    launcher: first(LAUNCHERS[family], environment["STOWAGE_MPIRUN"]),
  };
}

const isStandardCompiler = (command: string): boolean => output(command, "-show") !== undefined;

/** PREFIX/lib/libmpi.so has PREFIX/bin/mpicc. */
function candidates(library: string, names: readonly string[]): readonly string[] {
  const beside = names.map((name) => join(dirname(dirname(library)), "bin", name)).filter((path) => existsSync(path));
  return [...beside, ...names];
}

/** Whose program it is, by what it says of itself; undefined where it does not run. */
function familyOf(command: string): MpiFamily | undefined {
  const isCompiler = basename(command).startsWith("mpicc");
  const told = output(command, isCompiler ? "--showme:version" : "--version");
  if (told !== undefined) return /Open MPI|OpenRTE/.test(told) ? "openmpi" : /HYDRA/i.test(told) ? "mpich" : undefined;
  return isCompiler && output(command, "-show") !== undefined ? "mpich" : undefined;
}

function output(command: string, argument: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, [argument], { encoding: "utf8", timeout: LIMIT_MS });
  return status === 0 ? `${stdout}${stderr}` : undefined;
}
