import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.js";
import { cacheFolders, libraryFolder } from "./cache-folders.js";
import { tableName } from "../routes/route-table.js";
import { FAMILIES } from "../run/find-library.js";
import { CodeCache } from "./code-cache.js";
import { trustedFolder } from "./private-folder.js";
import type { SafeFolder } from "./safe-path.js";
import { openTrusted } from "./trusted-file.js";

export interface Exported {
  readonly code: number;
  readonly libraries: number;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/**
 * Copies the user's code, and the tables of routes beside it, into FOLDER/code and the libraries into FOLDER/lib, for
 * all to read: what a machine without Node and compilers needs. Each file is written beside and renamed, so that
 * programs may use the folder meanwhile.
 * @throws InterposerError where another user may have written what would be copied: it would become this user's
 */
export function exportFiles(folder: string, environment: Environment = process.env): Exported {
  const cache = new CodeCache(cacheFolders(environment)[0]);
  const names = cache.list().map(({ name }) => name);
  const routes = FAMILIES.map(tableName).filter((name) => existsSync(join(cache.folder, name)));
  const libraries = trustedFolder(libraryFolder(environment));
  const built = libraries === undefined ? [] : readdirSync(libraries.path).filter((name) => name.endsWith(".so"));
  copyInto(join(folder, "code"), trustedFolder(cache.folder), [...names, ...routes], 0o644);
  copyInto(join(folder, "lib"), libraries, built, 0o755);
  return { code: names.length, libraries: built.length };
}

/**
 * Others may write to the target: no name of theirs is followed or written over, and what was opened is what is meant.
 */
function copyInto(target: string, source: SafeFolder | undefined, names: readonly string[], mode: number): void {
  mkdirSync(target, { recursive: true });
  const folder = openSync(target, O_RDONLY | O_DIRECTORY);
  try {
    if (source !== undefined) for (const name of names) copyFile(`/proc/self/fd/${folder}`, source, name, mode);
  } finally {
    closeSync(folder);
  }
}

function copyFile(target: string, source: SafeFolder, name: string, mode: number): void {
  const from = openTrusted(source, name);
  if (from === undefined) return; // it was removed meanwhile
  const beside = join(target, `${name}.${randomUUID()}.new`);
  try {
    const to = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(to, readFileSync(from));
      fchmodSync(to, mode);
    } finally {
      closeSync(to);
    }
    renameSync(beside, join(target, name));
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    closeSync(from);
  }
}
