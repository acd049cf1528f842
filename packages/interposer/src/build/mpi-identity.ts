import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InterposerError } from "../errors.js";

/** An MPI whose own ABI we know: Open MPI, or MPICH and its kin (Intel MPI, MVAPICH, Cray). */
export type MpiFamily = "openmpi" | "mpich";

/** What programs are compiled for: an MPI's own ABI, or the standard's (MPI 5.0, chapter 20) of whichever MPI. */
export type MpiAbi = MpiFamily | "mpi-abi";

/** What a compiler wrapper compiles for. */
export interface MpiIdentity {
  readonly family: MpiAbi;
  /** The version of the MPI, or of the standard's ABI, such as "4.1.4". */
  readonly version: string;
  /** The command that the wrapper calls (`mpicc -show`): a compiler and its flags. */
  readonly commandLine: string;
  /** The flags that the wrapper is given to compile for this ABI; most often none. */
  readonly flags: readonly string[];
  /** The path of the mpi.h that told. */
  readonly header: string;
}

/**
 * The macros by which each mpi.h says what it is; MPICH's kin (Intel MPI, MVAPICH, Cray) keep MPICH's. An MPI's own may
 * say which ABI of the standard it knows of as well.
 */
const PROBE = `#include <mpi.h>
#ifdef OMPI_MAJOR_VERSION
stowage_mpi openmpi OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION
#elif defined(MPICH_VERSION)
stowage_mpi mpich MPICH_VERSION
#elif defined(MPI_ABI_VERSION)
stowage_mpi mpi-abi MPI_ABI_VERSION.MPI_ABI_SUBVERSION
#endif
`;

/**
 * Asks a compiler wrapper what it compiles for, by the macros of its mpi.h.
 * @throws InterposerError where there is no such wrapper, or its mpi.h is of no ABI that is known
 */
export function mpiIdentity(mpicc: string, flags: readonly string[] = []): MpiIdentity {
  const text = output(mpicc, [...flags, "-E", "-x", "c", "-"], PROBE);
  const told = /^stowage_mpi (openmpi|mpich|mpi-abi) (.+)$/m.exec(text);
  const version = told?.[2]?.replaceAll(/[" ]/g, "");
  if (told === null || version === undefined) {
    throw new InterposerError(
      `${mpicc}: expected the mpi.h of Open MPI, of MPICH and its kin, or of the standard's ABI, got another`,
    );
  }
  // Lines of the preprocessor's say which file the next ones are from.
  const header = /^#(?:line)? \d+ "(.*\bmpi\.h)"/m.exec(text)?.[1] ?? "";
  return { family: told[1] as MpiAbi, version, commandLine: output(mpicc, ["-show"], "").trim(), flags, header };
}

/** What asks a wrapper: mpiIdentity, or what remembers its answers. */
export type Identify = (mpicc: string, flags?: readonly string[]) => MpiIdentity;

/** Where MPIs that also have the standard's mpi.h keep it, and the flags by which their wrappers find that one. */
const STANDARD_HEADERS: Readonly<Record<string, (folder: string) => string>> = {
  "mpi_abi.h": () => "-DMPI_ABI", // MPICH's mpi.h includes it then
  "standard_abi/mpi.h": (folder) => `-I${folder}/standard_abi`, // Open MPI's
};

/**
 * The identity for the standard's ABI of a wrapper that compiles for it, by itself or by flags; undefined where it does
 * not.
 * @throws InterposerError where there is no such wrapper
 */
export function standardIdentity(mpicc: string, identify: Identify = mpiIdentity): MpiIdentity | undefined {
  const own = identify(mpicc);
  if (own.family === "mpi-abi") return own;
  const folders = Array.from(own.commandLine.matchAll(/-I(\S+)/g), ([, folder = ""]) => folder);
  for (const folder of folders)
    for (const [header, flag] of Object.entries(STANDARD_HEADERS))
      if (existsSync(join(folder, header))) return identify(mpicc, [flag(folder)]);
  return undefined;
}

function output(mpicc: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(mpicc, args, { input, encoding: "utf8" });
  if (status === 0) return stdout;
  const got = error?.message ?? stderr.trim().split("\n")[0] ?? `status ${status}`;
  throw new InterposerError(`${mpicc} ${args.join(" ")}: expected a compiler for MPI programs, got ${got}`);
}
