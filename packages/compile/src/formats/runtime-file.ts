import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A file of runtime/, which lies in the package where it is published, and beside the packages in the project's tree.
 * Throws an Error where it is in neither.
 */
export function runtimeFile(name: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, "runtime", name);
    if (existsSync(path)) return readFileSync(path, "utf8");
    if (folder === dirname(folder)) throw new Error(`runtime/${name}: expected it in the package, got none`);
  }
}
