import { readFileSync } from "node:fs";

const GOT: Readonly<Record<string, string>> = {
  ENOENT: "none",
  EISDIR: "a folder",
  ENOTDIR: "none",
  EACCES: "one that may not be read",
  EPERM: "one that may not be read",
};

/** The text of a file that the user named. Throws one line where it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw new Error(`${path}: expected a readable file, got ${GOT[code] ?? code}`, { cause: error });
  }
}
