import { outputFile, type OutputFile } from "@stowage/bench";
import { compileTypes, type CompileOptions, type OutputFile as Compiled } from "@stowage/compile";
import { basename } from "node:path";
import { print } from "../print.js";
import { readType } from "../type-argument.js";
import { symbolsFor } from "./symbols.js";

interface Options extends Pick<CompileOptions, "target" | "language" | "pages" | "visibility"> {
  readonly out: string;
  readonly symbol?: readonly string[];
  readonly copyTo?: string;
}

/** `stowage compile`. */
export function compile(types: readonly string[], { out, symbol, copyTo, ...options }: Options): void {
  const name = basename(out);
  if (name === "" || /[/.]$/.test(out)) throw new Error(`--out: expected a folder and a name, got ${out}`);
  const symbols = symbolsFor(types, name, symbol ?? []);
  const copiesTo = copyTo === undefined ? undefined : readType(copyTo).datatype;
  const named = types.map((type, i) => ({ symbol: symbols[i] as string, datatype: readType(type).datatype, copiesTo }));
  writeAll(out, compileTypes(named, { ...options, name }));
}

/** All files, or none: each is whole beside its place before the first takes it. */
function writeAll(out: string, files: readonly Compiled[]): void {
  const places = files.map(({ ending }) => outputFile(`${out}${ending}`, "--out"));
  const staged: ReturnType<OutputFile["stage"]>[] = [];
  try {
    for (const [i, { bytes }] of files.entries()) staged.push((places[i] as OutputFile).stage(bytes));
    for (const each of staged) each.commit();
  } finally {
    for (const each of staged) each.discard();
  }
  for (const { ending, bytes } of files) print(`${out}${ending} ${bytes.length} bytes`);
}
