import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.js";
import { cacheFolders, libraryFolder } from "../cache/cache-folders.js";
import { CodeCache } from "../cache/code-cache.js";
import { trustedFolder } from "../cache/private-folder.js";
import type { SafeFolder } from "../cache/safe-path.js";
import { openTrusted } from "../cache/trusted-file.js";
import { writeWhole } from "../cache/write-whole.js";
import { TABLES, tableName } from "../routes/route-table.js";
import { FAMILIES } from "../run/launcher.js";
import { EXEC_NAME, execScript } from "./exec-script.js";
import { siteLibraries } from "./site-libraries.js";

/** How many files were exported. */
export interface Exported {
  /** Files of compiled code. */
  readonly code: number;
  /** Libraries to preload. */
  readonly libraries: number;
}

const { O_DIRECTORY, O_RDONLY } = constants;

/**
 * Copies the user's code, and the tables of routes beside it, into FOLDER/code and the libraries into FOLDER/lib, and
 * writes FOLDER/bin/stowage-exec, for all to read: what a machine without Node and compilers needs. Each file is
 * written beside and renamed, so that programs may use the folder meanwhile.
 * @throws InterposerError where another user may have written what would be copied: it would become this user's
 */
export function exportFiles(folder: string, environment: Environment = process.env): Exported {
  const cache = new CodeCache(cacheFolders(environment)[0]);
  const names = cache.list().map(({ name }) => name);
  const tables = TABLES.flatMap((kind) => FAMILIES.map((mpi) => tableName(kind, mpi)));
  const routes = tables.filter((name) => existsSync(join(cache.folder, name)));
  const libraries = trustedFolder(libraryFolder(environment));
  const built = libraries === undefined ? [] : readdirSync(libraries.path).filter((name) => name.endsWith(".so"));
  copyInto(join(folder, "code"), trustedFolder(cache.folder), [...names, ...routes], 0o644);
  copyInto(join(folder, "lib"), libraries, built, 0o755);
  writeExecScript(folder);
  return { code: names.length, libraries: built.length };
}

/**
 * Others may write to the target: no name of theirs is followed or written over, and what was opened is what is meant.
 */
function copyInto(target: string, source: SafeFolder | undefined, names: readonly string[], mode: number): void {
  within(target, (folder) => {
    if (source !== undefined) for (const name of names) copyFile(folder, source, name, mode);
  });
}

/** Of the libraries that lie there now, earlier exports' among them; none where the folder has no whole set. */
function writeExecScript(folder: string): void {
  let script: string;
  try {
    script = execScript(siteLibraries(folder));
  } catch {
    return; // libraries of an older release, or none: `stowage module` says which
  }
  within(join(folder, "bin"), (bin) => writeWhole(join(bin, EXEC_NAME), script, 0o755));
}

function within(target: string, use: (folder: string) => void): void {
  mkdirSync(target, { recursive: true });
  const folder = openSync(target, O_RDONLY | O_DIRECTORY);
  try {
    use(`/proc/self/fd/${folder}`);
  } finally {
    closeSync(folder);
  }
}

function copyFile(target: string, source: SafeFolder, name: string, mode: number): void {
  const from = openTrusted(source, name);
  if (from === undefined) return; // it was removed meanwhile
  try {
    writeWhole(join(target, name), readFileSync(from), mode);
  } finally {
    closeSync(from);
  }
}
