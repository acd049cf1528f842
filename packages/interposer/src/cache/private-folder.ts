import { InterposerError } from "../errors.js";
import { OTHERS_WRITE, safeFolder, UnsafePathError, whose, type SafeFolder } from "./safe-path.js";

const OTHERS_AT_ALL = 0o077;

/**
 * Makes a folder that others can neither write to nor put another in the place of: who does either has code run.
 * Returns its path without links. Throws an InterposerError where another is there.
 */
export const ownFolder = (path: string): string =>
  made(path, OTHERS_WRITE, "a folder that this user alone may write to");

/** Makes a folder that others cannot even enter: a socket lies there. Throws as ownFolder does. */
export const privateFolder = (path: string): string =>
  made(path, OTHERS_AT_ALL, "a folder that this user alone may enter");

function made(path: string, forbidden: number, expected: string): string {
  return orRefused(path, expected, () => {
    const folder = safeFolder(path, true) as SafeFolder;
    if (folder.owner === "user" && (folder.mode & forbidden) === 0) return folder.path;
    throw new UnsafePathError(folder.path, whose(folder));
  });
}

/**
 * A folder that code may be taken from: this user's or root's, which no other can write to or put another in the place
 * of. Undefined where there is none. Throws an InterposerError where it is another.
 */
export function trustedFolder(path: string): SafeFolder | undefined {
  return orRefused(path, "a folder that this user or root alone may write to", () => {
    const folder = safeFolder(path);
    if (folder === undefined || (folder.mode & OTHERS_WRITE) === 0) return folder;
    throw new UnsafePathError(folder.path, whose(folder));
  });
}

/** @throws InterposerError of one line for whatever is not so */
export function orRefused<T>(path: string, expected: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const where = error instanceof UnsafePathError && error.component !== path ? `${error.component}, ` : "";
    const got = error instanceof UnsafePathError ? error.message : (error as NodeJS.ErrnoException).code;
    throw new InterposerError(`${path}: expected ${expected}, got ${where}${got}`, { cause: error });
  }
}
