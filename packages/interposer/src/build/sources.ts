import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
/** Packages on a registry hold the runtime; in this project's tree it lies beside them all. */
const RUNTIMES = [join(PACKAGE, "runtime"), join(PACKAGE, "../../runtime")];

export interface Sources {
  /** Files to compile. */
  readonly files: readonly string[];
  readonly includes: readonly string[];
  /** Of every file's bytes, headers too. */
  readonly hash: string;
}

/** What a library is for: packing, or the time of calls, which recordings need beside it. */
export type Purpose = "packing" | "recording";

const C = join(PACKAGE, "c");
/**
 * The folders of C, in the order of their includes; of hooks and calls, which have a rows.h each, a purpose has one.
 */
const FOLDERS: Readonly<Record<Purpose, readonly string[]>> = {
  packing: ["mpi", "store", "types", "gpu", "mpi/openmpi", "mpi/mpich", "hooks", "interposed"],
  recording: ["calls", "mpi", "store", "types", "interposed"],
};
/** The names that programs call, and what is behind them. */
const INTERPOSED = ["mpi/next.c", "mpi/family.c", "interposed/interposed.c"];
/** What the recorder has of the library's besides. */
const SHARED = ["interposed/attach.c", "types/handle-table.c"];
/** What loads a library of hooks when it knows the MPI. */
const LOADER = ["loader/load-hooks.c", "store/say.c", "store/summary.c"];

/** The C of a library of hooks for one MPI, ours and the runtime's. */
export function sources(purpose: Purpose): Sources {
  const folders = foldersOf(purpose);
  const own = purpose === "packing" ? folders : [join(C, "calls")];
  const shared = purpose === "packing" ? [] : inC([...INTERPOSED, ...SHARED]);
  return sourcesOf(folders, [...own.flatMap((folder) => filesIn(folder, ".c")), ...shared]);
}

/** The C of the library that is preloaded, which needs no MPI's headers. */
export const loaderSources = (purpose: Purpose): Sources =>
  sourcesOf(foldersOf(purpose), inC([...INTERPOSED, ...LOADER]));

const inC = (names: readonly string[]): readonly string[] => names.map((name) => join(C, name));

function foldersOf(purpose: Purpose): readonly string[] {
  const runtime = RUNTIMES.find((folder) => existsSync(join(folder, "stowage.c"))) ?? join(PACKAGE, "runtime");
  return [...inC(FOLDERS[purpose]), runtime];
}

function sourcesOf(includes: readonly string[], files: readonly string[]): Sources {
  const hash = createHash("sha256");
  for (const file of [...includes.flatMap((folder) => filesIn(folder, ".h")), ...files])
    hash.update(readFileSync(file));
  return { files, includes, hash: hash.digest("hex") };
}

const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(folder, name));
