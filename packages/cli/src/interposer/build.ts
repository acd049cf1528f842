import { buildLibrary, buildLoader, mpiIdentity, standardIdentity, type MpiIdentity } from "@stowage/interposer";
import { print } from "../print.js";

interface Options {
  readonly mpicc?: string;
  readonly out?: string;
}

const PURPOSES = ["packing", "recording"] as const;

/**
 * `stowage interposer build`: the library, and the recorder that --record preloads beside it, for the wrapper's MPI,
 * for the standard's ABI where the wrapper compiles for it too, and those that are preloaded and load them.
 */
export async function build({ mpicc = process.env["STOWAGE_MPICC"] || "mpicc", out }: Options): Promise<void> {
  const own = mpiIdentity(mpicc);
  const standard = own.family === "mpi-abi" ? undefined : standardIdentity(mpicc);
  for (const mpi of [own, standard].filter((each): each is MpiIdentity => each !== undefined))
    for (const purpose of PURPOSES) print((await buildLibrary(mpicc, out, purpose, mpi)).path);
  for (const purpose of PURPOSES) print(await buildLoader("cc", out, purpose));
}
