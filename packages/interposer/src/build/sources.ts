import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
/** Packages on a registry hold the runtime; in this project's tree it lies beside them all. */
const RUNTIMES = [join(PACKAGE, "runtime"), join(PACKAGE, "../../runtime")];

export interface Sources {
  /** Files to compile. */
  readonly files: readonly string[];
  readonly includes: readonly string[];
  /** Of every file's bytes, headers too. */
  readonly hash: string;
}

/** The library's C, ours and the runtime's. */
export function sources(): Sources {
  const runtime = RUNTIMES.find((folder) => existsSync(join(folder, "stowage.c"))) ?? join(PACKAGE, "runtime");
  const includes = [join(PACKAGE, "c"), join(PACKAGE, "c/device"), runtime];
  const all = includes.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.[ch]$/.test(name))
      .toSorted()
      .map((name) => join(folder, name)),
  );
  const hash = createHash("sha256");
  for (const file of all) hash.update(readFileSync(file));
  return { files: all.filter((file) => file.endsWith(".c")), includes, hash: hash.digest("hex") };
}
