import { codeSources } from "@stowage/libstowage";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

export interface Sources {
  /** Files to compile. */
  readonly files: readonly string[];
  readonly includes: readonly string[];
  /** Those files, and the headers. */
  readonly all: readonly string[];
  /** A hash of the bytes of all. */
  readonly hash: string;
}

/** What a library is for: packing, or the time of calls, which recordings need beside it. */
export type Purpose = "packing" | "recording";

const C = join(PACKAGE, "c");
/**
 * The folders of C, in the order of their includes; of hooks and calls, which have a rows.h each, a purpose has one.
 */
const FOLDERS: Readonly<Record<Purpose, readonly string[]>> = {
  packing: [
    "mpi",
    "store",
    "types",
    "tables",
    "choice",
    "packing",
    "job",
    "host",
    "gpu",
    "staged",
    "messages",
    "files",
    "windows",
    "mpi/openmpi",
    "mpi/mpich",
    "hooks",
    "interposed",
  ],
  recording: ["calls", "mpi", "store", "types", "interposed"],
};
/** The names that programs call, and what is behind them. */
const INTERPOSED = ["mpi/next.c", "mpi/family.c", "interposed/interposed.c", "interposed/excluded.c"];
/** What the recorder has of the library's besides. */
const SHARED = ["interposed/attach.c", "types/handle-table.c"];
/** What loads a library of hooks when it knows the MPI. */
const LOADER = ["loader/load-hooks.c", "store/summary.c"];

/** The C of a library of hooks for one MPI, ours and libstowage's. */
export function sources(purpose: Purpose): Sources {
  const isPacking = purpose === "packing";
  const own = isPacking ? inC(FOLDERS.packing) : [join(C, "calls")];
  const shared = isPacking ? codeSources().files : inC([...INTERPOSED, ...SHARED]);
  return sourcesOf(foldersOf(purpose), [...own.flatMap((folder) => filesIn(folder, ".c")), ...shared]);
}

/** The C of the library that is preloaded, which needs no MPI's headers. */
export const loaderSources = (purpose: Purpose): Sources =>
  sourcesOf(foldersOf(purpose), [...inC([...INTERPOSED, ...LOADER]), ...codeSources().files.filter(isSaying)]);

/** Lines on standard error are all that the loader has of libstowage. */
const isSaying = (path: string): boolean => basename(path) === "say.c";

const inC = (names: readonly string[]): readonly string[] => names.map((name) => join(C, name));

const foldersOf = (purpose: Purpose): readonly string[] => [...inC(FOLDERS[purpose]), ...codeSources().includes];

function sourcesOf(includes: readonly string[], files: readonly string[]): Sources {
  const all = [...includes.flatMap((folder) => filesIn(folder, ".h")), ...files];
  const hash = createHash("sha256");
  for (const file of all) hash.update(readFileSync(file));
  return { files, includes, all, hash: hash.digest("hex") };
}

const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(folder, name));
