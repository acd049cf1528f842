import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.js";
import { cacheFolders, libraryFolder } from "./cache-folders.js";
import { tableName } from "../routes/route-table.js";
import { FAMILIES } from "../run/find-library.js";
import { CodeCache } from "./code-cache.js";

export interface Exported {
  readonly code: number;
  readonly libraries: number;
}

/**
 * Copies the user's code, and the tables of routes beside it, into FOLDER/code and the libraries into FOLDER/lib, for
 * all to read: what a machine without Node and compilers needs. Each file is written beside and renamed, so that
 * programs may use the folder meanwhile.
 */
export function exportFiles(folder: string, environment: Environment = process.env): Exported {
  const cache = new CodeCache(cacheFolders(environment)[0]);
  const libraries = libraryFolder(environment);
  const built = existsSync(libraries) ? readdirSync(libraries).filter((name) => name.endsWith(".so")) : [];
  const names = cache.list().map(({ name }) => name);
  const routes = FAMILIES.map(tableName).filter((name) => existsSync(join(cache.folder, name)));
  copyInto(join(folder, "code"), cache.folder, [...names, ...routes], 0o644);
  copyInto(join(folder, "lib"), libraries, built, 0o755);
  return { code: names.length, libraries: built.length };
}

function copyInto(target: string, source: string, names: readonly string[], mode: number): void {
  mkdirSync(target, { recursive: true });
  for (const name of names) {
    const beside = join(target, `${name}.${process.pid}.new`);
    copyFileSync(join(source, name), beside);
    chmodSync(beside, mode);
    renameSync(beside, join(target, name));
  }
}
