import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../", import.meta.url));
/** Packages on a registry hold the runtime; in this project's tree it lies beside them all. */
const RUNTIMES = [join(PACKAGE, "runtime"), join(PACKAGE, "../../runtime")];

/** Some of libstowage's C, to be compiled into something of one's own: C11, and no library but libc. */
export interface LibrarySources {
  /** Paths of the C files to compile. */
  readonly files: readonly string[];
  /** Folders of headers, the public ones first. */
  readonly includes: readonly string[];
}

/** Lists all of the library's C, as CMakeLists.txt beside it compiles it. */
export function librarySources(): LibrarySources {
  const c = join(PACKAGE, "c");
  const folders = readdirSync(c, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(c, name))
    .toSorted();
  return sourcesIn([join(PACKAGE, "include")], [c, ...folders]);
}

/** Lists the C that finds code for described types alone: the loader, the cache on disk, the service's client. */
export const codeSources = (): LibrarySources => sourcesIn([], [join(PACKAGE, "c/code")]);

function sourcesIn(headers: readonly string[], folders: readonly string[]): LibrarySources {
  const runtime = RUNTIMES.find((folder) => existsSync(join(folder, "stowage.c"))) ?? join(PACKAGE, "runtime");
  const files = [runtime, ...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".c"))
      .toSorted()
      .map((name) => join(folder, name)),
  );
  return { files, includes: [...headers, runtime, ...folders] };
}
