import { spawnSync } from "node:child_process";
import { InterposerError } from "../errors.js";

export type MpiFamily = "openmpi" | "mpich";

/** The MPI that a compiler wrapper compiles for. */
export interface MpiIdentity {
  readonly family: MpiFamily;
  readonly version: string;
  /** What the wrapper calls: a compiler and its flags. */
  readonly commandLine: string;
}

/** The macros by which each MPI's mpi.h says what it is; MPICH's kin (Intel MPI, MVAPICH, Cray) keep MPICH's. */
const PROBE = `#include <mpi.h>
#ifdef OMPI_MAJOR_VERSION
stowage_mpi openmpi OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION
#elif defined(MPICH_VERSION)
stowage_mpi mpich MPICH_VERSION
#endif
`;

/** @throws InterposerError where there is no such wrapper, or its mpi.h is of neither ABI */
export function mpiIdentity(mpicc: string): MpiIdentity {
  const text = output(mpicc, ["-E", "-P", "-x", "c", "-"], PROBE);
  const told = /^stowage_mpi (openmpi|mpich) (.+)$/m.exec(text);
  const version = told?.[2]?.replaceAll(/[" ]/g, "");
  if (told === null || version === undefined) {
    throw new InterposerError(`${mpicc}: expected the mpi.h of Open MPI or of MPICH and its kin, got another`);
  }
  return { family: told[1] as MpiFamily, version, commandLine: output(mpicc, ["-show"], "").trim() };
}

function output(mpicc: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(mpicc, args, { input, encoding: "utf8" });
  if (status === 0) return stdout;
  const got = error?.message ?? stderr.trim().split("\n")[0] ?? `status ${status}`;
  throw new InterposerError(`${mpicc} ${args.join(" ")}: expected a compiler for MPI programs, got ${got}`);
}
