import { readFileSync } from "node:fs";

/** The text of a file that the user named. Throws one line where it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path}: expected a readable file, got ${(error as Error).message}`, { cause: error });
  }
}
