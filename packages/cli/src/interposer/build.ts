import { buildLibrary, mpiIdentity, standardIdentity, type MpiIdentity } from "@stowage/interposer";
import { print } from "../print.js";

interface Options {
  readonly mpicc?: string;
  readonly out?: string;
}

/**
 * `stowage interposer build`: the library, and the recorder that --record preloads beside it; the same for the
 * standard's ABI where the wrapper compiles for it too.
 */
export async function build({ mpicc = process.env["STOWAGE_MPICC"] || "mpicc", out }: Options): Promise<void> {
  const own = mpiIdentity(mpicc);
  const standard = own.family === "mpi-abi" ? undefined : standardIdentity(mpicc);
  for (const mpi of [own, standard].filter((each): each is MpiIdentity => each !== undefined))
    for (const purpose of ["packing", "recording"] as const) print((await buildLibrary(mpicc, out, purpose, mpi)).path);
}
