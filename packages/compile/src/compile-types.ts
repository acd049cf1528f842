import { archive } from "@stowage/object-files";
import { compiledTypes, type CompiledType, type NamedDatatype } from "./compiled-type.js";
import { cHeader } from "./languages/c-header.js";
import { fortranModule } from "./languages/fortran-module.js";
import { objectOf } from "./x64/object-of.js";
import type { X64Target } from "./x64/target.js";

export type Language = "c" | "fortran";

export interface CompileOptions {
  /** What the files are called, without a folder and an ending. */
  readonly name: string;
  readonly target: X64Target;
  readonly language: Language;
}

/** A file that compiling gives: what follows the name, and what is in it. */
export interface OutputFile {
  readonly ending: string;
  readonly bytes: Uint8Array;
}

/**
 * The files that a program in a language needs to pack datatypes: an object file, or of several types a static library of
 * one object file each, and what declares the functions in them.
 * @throws ArgumentError where names are wrong, UnsupportedMoveError where a type needs larger tables than a program may have.
 */
export function compileTypes(named: readonly NamedDatatype[], options: CompileOptions): readonly OutputFile[] {
  const types = compiledTypes(named);
  return [
    codeFile(types, options.target),
    { ending: ENDINGS[options.language], bytes: encoded(textOf(types, options)) },
  ];
}

/** A Fortran compiler writes the object of NAME.f90 to NAME.o, which is ours: the module's file has another name. */
const ENDINGS: Readonly<Record<Language, string>> = { c: ".h", fortran: "_module.f90" };

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

function textOf(types: readonly CompiledType[], { language, name }: CompileOptions): string {
  const identifier = name.replaceAll(/[^A-Za-z0-9_]/g, "_");
  switch (language) {
    case "c":
      return cHeader(types, identifier);
    case "fortran":
      return fortranModule(types, identifier);
  }
}

function codeFile(types: readonly CompiledType[], target: X64Target): OutputFile {
  const [only] = types;
  if (types.length === 1 && only !== undefined) return { ending: ".o", bytes: objectOf(only, target).bytes };
  const members = types.map((type) => ({ name: `${type.symbol}.o`, ...objectOf(type, target) }));
  return { ending: ".a", bytes: archive(members) };
}
