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
/** The library's folders, in the order of their includes. */
const FOLDERS = ["mpi", "store", "types", "gpu", "mpi/openmpi", "mpi/mpich", "hooks"];
/** What the recorder has of the library's. */
const SHARED = ["mpi/next.c", "types/handle-table.c"];

/** A library's C, ours and the runtime's. */
export function sources(purpose: Purpose): Sources {
  const runtime = RUNTIMES.find((folder) => existsSync(join(folder, "stowage.c"))) ?? join(PACKAGE, "runtime");
  const includes = [...FOLDERS.map((folder) => join(C, folder)), runtime];
  const headers = includes.flatMap((folder) => filesIn(folder, ".h"));
  const packing = includes.flatMap((folder) => filesIn(folder, ".c"));
  const calls = join(C, "calls");
  const recording = [...filesIn(calls, ".h"), ...filesIn(calls, ".c"), ...SHARED.map((name) => join(C, name))];
  const all = [...headers, ...(purpose === "packing" ? packing : recording)];
  const hash = createHash("sha256");
  for (const file of all) hash.update(readFileSync(file));
  return { files: all.filter((file) => file.endsWith(".c")), includes, hash: hash.digest("hex") };
}

const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(folder, name));
