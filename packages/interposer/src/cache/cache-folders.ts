import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../environment.js";

/** Where what we keep for a user lies: XDG Base Directory Specification. */
const ownCache = (environment: Environment): string =>
  join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "stowage");

/**
 * The folders of compiled code, the one that is written to first: STOWAGE_CACHE names them, separated by colons. Code
 * in the others is read alone, such as a site's own (`stowage cache export`). Default: stowage/code under
 * XDG_CACHE_HOME, or else under ~/.cache (XDG Base Directory Specification). None need be there.
 */
export function cacheFolders(environment: Environment = process.env): readonly [string, ...string[]] {
  const named = (environment["STOWAGE_CACHE"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const [first = join(ownCache(environment), "code"), ...rest] = named;
  return [first, ...rest];
}

/** Where libraries lie that were built for an MPI: STOWAGE_INTERPOSER names a folder that is looked in first. */
export const libraryFolder = (environment: Environment = process.env): string =>
  environment["STOWAGE_INTERPOSER"] || join(ownCache(environment), "lib");
