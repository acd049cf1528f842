import { outputFile } from "@stowage/bench";
import { moduleFile } from "@stowage/interposer";
import { print } from "../print.js";

/** `stowage module`. */
export function writeModule(folder: string, { mpi, out }: { readonly mpi?: string; readonly out?: string }): void {
  const text = moduleFile(folder, mpi === undefined ? {} : { mpis: mpi.split(",").map((each) => each.trim()) });
  if (out === undefined) return print(text.trimEnd());
  outputFile(out, "--out").write(text);
  print(out);
}
