import { buildLibrary } from "@stowage/interposer";
import { print } from "../print.js";

interface Options {
  readonly mpicc: string;
  readonly out?: string;
}

/** `stowage interposer build`. */
export const build = ({ mpicc, out }: Options): void => print(buildLibrary(mpicc, out).path);
