import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { ownerOf, userNamespace } from "./file-owners.js";
import { orRefused } from "./private-folder.js";
import { OTHERS_WRITE, UnsafePathError, whose, type SafeFolder } from "./safe-path.js";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * The path of a file that only this user, root or the folder's owner can have written: it is loaded into programs.
 * Since the folder is safe, the path still leads to the file that was checked, or to one that the same users put there,
 * when a loader opens it. Undefined where there is none.
 * @throws InterposerError where it is another's, a link, or no file
 */
export function trustedFile(folder: SafeFolder, name: string): string | undefined {
  const file = openTrusted(folder, name);
  if (file === undefined) return undefined;
  closeSync(file);
  return join(folder.path, name);
}

/** A descriptor of such a file, to read: owner and mode are those of what was opened, whatever its name. */
export function openTrusted(folder: SafeFolder, name: string): number | undefined {
  const path = join(folder.path, name);
  return orRefused(path, "a file that this user or root alone may write to", () => {
    const file = opened(path);
    if (file === undefined) return undefined;
    const facts = fstatSync(file);
    const isTrusted = facts.uid === folder.uid || ownerOf(facts.uid, path, userNamespace()) !== "another";
    if (isTrusted && facts.isFile() && (facts.mode & OTHERS_WRITE) === 0) return file;
    closeSync(file);
    throw new UnsafePathError(path, facts.isFile() ? whose(facts) : "no file");
  });
}

/** Not to wait for who writes to a pipe of that name. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
