import { quoted } from "@stowage/ir";
import type { LibraryHandle } from "koffi";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { LlvmError } from "./llvm-error.js";
import { koffi } from "./native.js";

/** The major versions that this package was tried with, newest first. Those before 15 have typed pointers. */
export const TRIED_VERSIONS: readonly number[] = Object.freeze([22, 19, 16, 15]);

const INSTALL = "install one of them, on Debian: apt install libllvm19";
const list = (versions: readonly number[]): string => versions.toSorted((a, b) => a - b).join(", ");

/**
 * The names and paths that a major version's library may have: in the loader's search path, and where distributions
 * keep it. Throws an LlvmError where `version` is no integer.
 */
export function libraryNames(version: number): readonly string[] {
  if (!Number.isSafeInteger(version)) throw new LlvmError("version of libLLVM", "an integer", quoted(version));
  if (process.platform === "darwin")
    return [`/opt/homebrew/opt/llvm@${version}/lib/libLLVM.dylib`, `/usr/local/opt/llvm@${version}/lib/libLLVM.dylib`];
  const files = [`libLLVM-${version}.so.1`, `libLLVM.so.${version}.1`, `libLLVM-${version}.so`];
  return [...files, `/usr/lib/llvm-${version}/lib/libLLVM.so.1`, `/usr/lib64/llvm${version}/lib/libLLVM-${version}.so`];
}

/** Where loaders of Linux look, as Debian and others call the folders. */
const FOLDERS = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib/riscv64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
];

/**
 * Whether a library of a tried version seems to be there, by its file name alone: nothing is loaded, which takes tens
 * of milliseconds. A yes may turn out to be wrong.
 */
export function isLibraryInstalled(): boolean {
  const folders = [
    ...(process.env["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...FOLDERS,
  ];
  const isThere = (name: string): boolean =>
    isAbsolute(name) ? existsSync(name) : folders.some((folder) => existsSync(join(folder, name)));
  return TRIED_VERSIONS.some((version) => libraryNames(version).some(isThere));
}

/** The error that says which libLLVM to install, for backends that find none. It is returned, not thrown. */
export const noLibrary = (): LlvmError =>
  new LlvmError("libLLVM", `version ${list(TRIED_VERSIONS)}`, `none of them; ${INSTALL}`);

/** A libLLVM that was found and loaded, none of whose calls is bound yet. */
export interface FoundLibrary {
  readonly library: LibraryHandle;
  /** The major version. */
  readonly version: number;
  /** The name or path by which the loader found it. */
  readonly name: string;
}

/**
 * Finds the library at a path, or the newest tried version that is installed. Throws an LlvmError, which says in one
 * line what to install, where there is none or it is of another version.
 */
export function findLibrary(path?: string): FoundLibrary {
  if (path !== undefined && typeof path !== "string") throw new LlvmError("libLLVM", "a path", quoted(path));
  if (path !== undefined) return atPath(path);
  for (const version of TRIED_VERSIONS) {
    for (const name of libraryNames(version)) {
      const library = loaded(name);
      if (library !== undefined && versionOf(library) === version) return { library, version, name };
    }
  }
  throw noLibrary();
}

function atPath(path: string): FoundLibrary {
  let library: LibraryHandle;
  try {
    library = koffi().load(path);
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause);
    throw new LlvmError(`libLLVM at ${path}`, "a library that loads", `${got}; ${INSTALL}`, { cause });
  }
  const version = versionOf(library);
  if (version !== undefined && TRIED_VERSIONS.includes(version)) return { library, version, name: path };
  const got = version === undefined ? "a library that is older, or no LLVM" : `version ${version}`;
  throw new LlvmError(`libLLVM at ${path}`, `version ${list(TRIED_VERSIONS)}`, `${got}; ${INSTALL}`);
}

function loaded(name: string): LibraryHandle | undefined {
  try {
    return koffi().load(name);
  } catch {
    return undefined;
  }
}

/** LLVM says its version from 16 on; 15 is the first that knows of opaque pointers. */
function versionOf(library: LibraryHandle): number | undefined {
  try {
    const get = library.func(
      "void LLVMGetVersion(_Out_ unsigned int *, _Out_ unsigned int *, _Out_ unsigned int *)",
    ) as (...parts: [number][]) => void;
    const major: [number] = [0];
    get(major, [0], [0]);
    return major[0];
  } catch {
    return exports(library, "LLVMPointerTypeIsOpaque") ? 15 : undefined;
  }
}

function exports(library: LibraryHandle, name: string): boolean {
  try {
    library.symbol(name, "void *");
    return true;
  } catch {
    return false;
  }
}
