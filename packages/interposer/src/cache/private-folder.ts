import { lstatSync, mkdirSync } from "node:fs";
import { InterposerError } from "../errors.js";

const OTHERS_WRITE = 0o022;
const OTHERS_AT_ALL = 0o077;

/**
 * Makes a folder that others cannot write to: who writes there has code run. Throws an InterposerError where one is
 * there.
 */
export function ownFolder(path: string): string {
  return checked(path, OTHERS_WRITE, "a folder that this user alone may write to");
}

/** The same of a folder that others cannot even enter: a socket lies there. */
export function privateFolder(path: string): string {
  return checked(path, OTHERS_AT_ALL, "a folder that this user alone may enter");
}

function checked(path: string, forbidden: number, expected: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(path);
    const isOurs = uid === process.geteuid?.() && (mode & forbidden) === 0;
    if (isOurs) return path;
    throw new InterposerError(
      `${path}: expected ${expected}, got user ${uid}'s of mode ${(mode & 0o7777).toString(8).padStart(4, "0")}`,
    );
  } catch (error) {
    if (error instanceof InterposerError) throw error;
    throw new InterposerError(`${path}: expected ${expected}, got ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
}
