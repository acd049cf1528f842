import { buildLibrary } from "@stowage/interposer";
import { print } from "../print.js";

interface Options {
  readonly mpicc?: string;
  readonly out?: string;
}

/** `stowage interposer build`: the library, and the recorder that --record preloads beside it. */
export async function build({ mpicc, out }: Options): Promise<void> {
  const packing = await buildLibrary(mpicc, out);
  const recording = await buildLibrary(mpicc, out, "recording");
  print(`${packing.path}\n${recording.path}`);
}
