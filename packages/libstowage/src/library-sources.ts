import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../", import.meta.url));
/** Packages on a registry hold the runtime; in this project's tree it lies beside them all. */
const RUNTIMES = [join(PACKAGE, "runtime"), join(PACKAGE, "../../runtime")];

/** The C of libstowage, for who compiles it into a library or a program of their own: C11, and no library but libc. */
export interface LibrarySources {
  /** Files to compile. */
  readonly files: readonly string[];
  /** Folders of headers, the public ones first. */
  readonly includes: readonly string[];
}

/** Where the library's C lies, as CMakeLists.txt beside it compiles it. */
export function librarySources(): LibrarySources {
  const runtime = RUNTIMES.find((folder) => existsSync(join(folder, "stowage.c"))) ?? join(PACKAGE, "runtime");
  const c = join(PACKAGE, "c");
  const folders = [
    c,
    ...readdirSync(c, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(c, name))
      .toSorted(),
  ];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".c"))
      .toSorted()
      .map((name) => join(folder, name)),
  );
  return { files: [join(runtime, "stowage.c"), ...sources], includes: [join(PACKAGE, "include"), runtime, ...folders] };
}
