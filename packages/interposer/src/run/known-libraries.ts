import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { answerName, keepAnswer, keptAnswer, stamped } from "../build/kept-answer.js";
import type { Purpose } from "../build/sources.js";
import { libraryFolder } from "../cache/cache-folders.js";
import { VERSION } from "../version.js";
import type { Loaded } from "./find-library.js";
import { onPath, readByWrappers, type Launcher } from "./launcher.js";

/**
 * What findLibraries finds for each purpose, of libraries that load: looked for once, since sources of a hundred files
 * are read and a process is started for it. It is kept beside the libraries, and holds while wrappers, their mpi.h,
 * sources and libraries are the files that they were, in the same environment, until the machine is started anew.
 * @throws InterposerError as findLibraries does, or where one does not load
 */
export async function knownLibraries(
  launcher: Launcher,
  purposes: readonly Purpose[],
  folder: string = libraryFolder(),
): Promise<readonly Loaded[]> {
  const wrappers = launcher.compilers.flatMap((name) => onPath(name) ?? []);
  const { family = "" } = launcher;
  const asked = [VERSION, family, ...purposes, "", ...wrappers, "", ...readByWrappers(process.env), thisBoot()];
  const name = (): string => answerName("run", [...asked, ...librariesIn(folder)]);
  const known = keptAnswer<readonly Loaded[]>(folder, name());
  if (known !== undefined) return known;
  const { checkLoads } = await import("./check-loads.js");
  const { findLibraries } = await import("./find-library.js");
  const { loaderSources, sources } = await import("../build/sources.js");
  const read = purposes.flatMap((purpose) => [...sources(purpose).all, ...loaderSources(purpose).all]);
  const files = stamped([...new Set([...read, ...read.map(dirname)])]);
  const found: Loaded[] = [];
  for (const purpose of purposes) found.push(await findLibraries(launcher, purpose, folder));
  const libraries = found.flatMap((each) => [each.preloaded, ...each.libraries]);
  checkLoads(libraries);
  const ofWrappers = [
    ...wrappers,
    ...wrappers.map((path) => realpathSync(path)),
    ...(await headersOf(wrappers, folder)),
  ];
  keepAnswer(folder, name(), found, [...files, ...stamped([...ofWrappers, ...libraries])]);
  return found;
}

/** Of other MPIs those are taken that were built before. */
function librariesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".so"))
      .toSorted();
  } catch {
    return []; // none yet
  }
}

/** A folder may be mounted otherwise in the next; "": the system does not say. */
function thisBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return "";
  }
}

async function headersOf(wrappers: readonly string[], folder: string): Promise<readonly string[]> {
  const { knownIdentity } = await import("../build/known-identity.js");
  const { standardIdentity } = await import("../build/mpi-identity.js");
  const identify = (mpicc: string, flags?: readonly string[]) => knownIdentity(mpicc, folder, flags);
  return wrappers.flatMap((wrapper) => {
    try {
      return [identify(wrapper).header, standardIdentity(wrapper, identify)?.header ?? []].flat();
    } catch {
      return []; // no MPI's that is known
    }
  });
}
