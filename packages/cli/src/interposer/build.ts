import { buildLibrary } from "@stowage/interposer";
import { print } from "../print.js";

interface Options {
  readonly mpicc: string;
  readonly out?: string;
}

/** `stowage interposer build`: the library, and the recorder that --record preloads beside it. */
export const build = ({ mpicc, out }: Options): void =>
  print([buildLibrary(mpicc, out).path, buildLibrary(mpicc, out, "recording").path].join("\n"));
