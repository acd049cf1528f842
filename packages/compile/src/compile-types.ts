import { ArgumentError, requireRecord, type FieldRules } from "@stowage/ir";
import { archive, sharedObject } from "@stowage/object-files";
import { storedArtifacts } from "./artifacts.js";
import { compiledTypes, type CompiledType, type NamedDatatype } from "./compiled-type.js";
import { cHeader } from "./languages/c-header.js";
import { fortranModule } from "./languages/fortran-module.js";
import { offsetsHeader } from "./languages/offsets-header.js";
import { pythonModule } from "./languages/python-module.js";
import { cppPagesHeader } from "./ptx/cpp-pages-header.js";
import { compiledPages } from "./ptx/compiled-pages.js";
import { pythonGpuModule } from "./ptx/python-gpu-module.js";
import { pythonPagesModule } from "./ptx/python-pages-module.js";
import { ptxFiles } from "./ptx/ptx-files.js";
import { isUsedByModules } from "./reserved-words.js";
import { objectFileOf, objectOf, type Visibility } from "./x64/object-of.js";
import { VARIANTS, type X64Target } from "./x64/target.js";

/**
 * The language of the files beside the machine code. "c++" and "cuda" are source alone, which the user's compiler
 * reads; "artifact" is code alone, which runtime/stowage.h loads.
 */
export type Language = "c" | "fortran" | "python" | "c++" | "cuda" | "artifact";

/** What is written for the types, and how. */
export interface CompileOptions {
  /** The files' name, without a folder and an ending. */
  readonly name: string;
  /** The processors that the code is for. "ptx": GPUs, in C and Python. */
  readonly target: X64Target | "ptx";
  /** The language that the functions are called from. */
  readonly language: Language;
  /**
   * Copies of pages by tables that each call brings, to the type that one is copied to or to the same, in place of
   * packs and unpacks: "ptx" for Python and C++ alone, of one type. Default: false.
   */
  readonly pages?: boolean;
  /**
   * Who may link to the functions of C and Fortran (ELF gABI, symbol visibility). "default": every program and library;
   * "hidden": the program or library alone that they are linked into. Default: "default".
   */
  readonly visibility?: Visibility;
}

const LANGUAGES: readonly unknown[] = [
  "c",
  "fortran",
  "python",
  "c++",
  "cuda",
  "artifact",
] satisfies readonly Language[];
const TARGETS: readonly unknown[] = [...Object.keys(VARIANTS), "ptx"];
const RULES: FieldRules<CompileOptions> = {
  name: {
    expected: "a file name without a folder",
    allows: (value) => typeof value === "string" && /^[^/\0]+$/.test(value),
  },
  target: { expected: `one of ${TARGETS.join(", ")}`, allows: (value) => TARGETS.includes(value) },
  language: { expected: `one of ${LANGUAGES.join(", ")}`, allows: (value) => LANGUAGES.includes(value) },
  pages: { expected: "true or false", allows: (value) => value === undefined || typeof value === "boolean" },
  visibility: {
    expected: "default or hidden",
    allows: (value) => value === undefined || value === "default" || value === "hidden",
  },
};

/** A file that compiling gives, to be written by the caller. */
export interface OutputFile {
  /** The part of the file's name behind `CompileOptions.name`, such as ".h". */
  readonly ending: string;
  /** The file's content. */
  readonly bytes: Uint8Array;
}

/**
 * Compiles datatypes ahead of time: gives the files that a program in a language needs to pack them.
 *
 * - C and Fortran: an object file, or for several types a static library of one object file each, and a header or
 *   module that declares the functions;
 * - Python: a shared object and a module;
 * - C++ and CUDA: a header of functions from packed position to offset and back, and no code;
 * - artifacts: what runtime/stowage.h loads.
 *
 * Throws an ArgumentError where names or options are wrong or do not go together, and an UnsupportedMoveError where a
 * type needs larger tables than a program may have.
 *
 * @example
 * ```ts
 * const files = compileTypes([{ symbol: "column", datatype: vector(100, 1, 100, predefined("MPI_DOUBLE")) }], {
 *   name: "column",
 *   target: "multi",
 *   language: "c",
 * });
 * for (const { ending, bytes } of files) writeFileSync(`column${ending}`, bytes);
 * ```
 */
export function compileTypes(named: readonly NamedDatatype[], options: CompileOptions): readonly OutputFile[] {
  const types = compiledTypes(named);
  const { language, name, target, visibility = "default" } = requireRecord(options, "options of compiling", RULES);
  if (visibility === "hidden" && (target === "ptx" || (language !== "c" && language !== "fortran")))
    throw new ArgumentError("language of hidden functions", "c or fortran, for processors", `${language}, ${target}`);
  if (options.pages === true) return pageFiles(types, options);
  const identifier = name.replaceAll(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "_");
  if (target === "ptx") requireNoCopy(types);
  if (language === "python") requireModuleNames(types);
  if (language === "artifact")
    return storedArtifacts(types, target).map(({ suffix, bytes }) => ({ ending: `${suffix}.stowage`, bytes }));
  if (target === "ptx") return gpuFiles(types, options, identifier);
  switch (language) {
    case "c":
      return [codeFile(types, target, visibility), file(".h", cHeader(types, { name, guard: identifier, visibility }))];
    case "fortran":
      // A Fortran compiler writes the object of NAME.f90 to NAME.o, which is ours.
      return [codeFile(types, target, visibility), file("_module.f90", fortranModule(types, identifier))];
    case "python":
      // Python would import NAME.so as an extension in place of NAME.py.
      return [libraryFile(types, target, name), file(".py", pythonModule(types, name, `${name}${LIBRARY_ENDING}`))];
    case "c++":
      return [file(".hpp", offsetsHeader(types, identifier, `${name}.hpp`))];
    case "cuda":
      return [file(".cuh", offsetsHeader(types, identifier, `${name}.cuh`))];
  }
}

function pageFiles(types: readonly CompiledType[], { target, language }: CompileOptions): readonly OutputFile[] {
  if (target !== "ptx") throw new ArgumentError("target of pages", "ptx", target);
  if (language !== "python" && language !== "c++")
    throw new ArgumentError("language of pages", "python or c++", language);
  const [type] = types;
  if (type === undefined || types.length > 1) throw new ArgumentError("pages", "one datatype", String(types.length));
  if (language === "python") requireModuleNames(types);
  const pages = compiledPages(type);
  return [language === "python" ? file(".py", pythonPagesModule(pages)) : file(".hpp", cppPagesHeader(pages))];
}

function gpuFiles(
  types: readonly CompiledType[],
  { language, name }: CompileOptions,
  identifier: string,
): readonly OutputFile[] {
  if (language === "python") return [file(".py", pythonGpuModule(types))];
  if (language !== "c") throw new ArgumentError("language for ptx", "c or python", language);
  const { ptx, source, header } = ptxFiles(types, name, identifier);
  return [file(".ptx", ptx), file(".c", source), file(".h", header)];
}

function requireModuleNames(types: readonly CompiledType[]): void {
  const used = types.find(({ symbol }) => isUsedByModules(symbol));
  if (used !== undefined)
    throw new ArgumentError("symbol for Python", "a name that functions of the module do not use", used.symbol);
}

function requireNoCopy(types: readonly CompiledType[]): void {
  const copied = types.find(({ copiesTo }) => copiesTo !== undefined);
  if (copied !== undefined)
    throw new ArgumentError("functions for ptx", "packs and unpacks", `a copy of ${copied.symbol}`);
}

const file = (ending: string, text: string): OutputFile => ({ ending, bytes: new TextEncoder().encode(text) });

function codeFile(types: readonly CompiledType[], target: X64Target, visibility: Visibility): OutputFile {
  const [only] = types;
  if (types.length === 1 && only !== undefined)
    return { ending: ".o", bytes: objectOf(only, target, visibility).bytes };
  const members = types.map((type) => ({ name: `${type.symbol}.o`, ...objectOf(type, target, visibility) }));
  return { ending: ".a", bytes: archive(members) };
}

const LIBRARY_ENDING = "_code.so";

/** All types' functions in one library that dlopen takes. */
const libraryFile = (types: readonly CompiledType[], target: X64Target, name: string): OutputFile => ({
  ending: LIBRARY_ENDING,
  bytes: sharedObject(objectFileOf(types, target), `${name}${LIBRARY_ENDING}`),
});
