import { readdirSync } from "node:fs";
import { buildLibrary, buildLoader, lastBuilt, LIBRARIES } from "../build/build-library.js";
import type { Purpose } from "../build/sources.js";
import { knownIdentity } from "../build/known-identity.js";
import { standardIdentity, type Identify, type MpiAbi } from "../build/mpi-identity.js";
import { libraryFolder } from "../cache/cache-folders.js";
import { orRefused, trustedFolder } from "../cache/private-folder.js";
import { trustedFile } from "../cache/trusted-file.js";
import { InterposerError } from "../errors.js";
import { FAMILIES, type Launcher } from "./launcher.js";

/** Programs of the standard's ABI run under every MPI's launcher. */
const STANDARD = "mpi-abi";

/** What ranks load for a purpose, whichever MPI they turn out to have. */
export interface Loaded {
  /** The library to preload. */
  readonly preloaded: string;
  /** Those that it loads. */
  readonly libraries: readonly string[];
  /** What tells it of them: the name of a variable, and its value. */
  readonly variable: readonly [name: string, value: string];
}

/**
 * The libraries for a command. Those of the launcher's MPI are built; where nothing tells which it is (a script, make),
 * those of every MPI that has a compiler wrapper; and that of the standard's ABI where one of the wrappers compiles for
 * it. Of the other MPIs what was built before is taken.
 * @throws InterposerError where there is none for the launcher's MPI, or others can have written what is there
 */
export async function findLibraries(
  launcher: Launcher,
  purpose: Purpose = "packing",
  folder: string = libraryFolder(),
): Promise<Loaded> {
  const found = new Map<MpiAbi, string>();
  const failures: Error[] = [];
  for (const family of [...FAMILIES, STANDARD] as const)
    try {
      const isWanted = family === STANDARD || [undefined, family].includes(launcher.family);
      const compilers = isWanted ? launcher.compilers : [];
      found.set(family, await findLibrary({ family, compilers }, purpose, folder));
    } catch (error) {
      if (launcher.family === family) throw error;
      failures.push(error as Error);
    }
  const [failure] = failures;
  if (found.size === 0 && failure !== undefined) throw failure;
  const list = [...found].map(([family, path]) => `${family}=${path}`).join(":");
  return {
    preloaded: await findLoader(purpose, folder),
    libraries: [...found.values()],
    variable: [LIBRARIES[purpose], list],
  };
}

/** By the system's compiler; where there is none, one that was built before. */
async function findLoader(purpose: Purpose, folder: string): Promise<string> {
  try {
    return await buildLoader("cc", folder, purpose);
  } catch (error) {
    const built = builtBefore("any", purpose, folder);
    if (built === undefined) throw error;
    return built;
  }
}

/**
 * The library for a launcher's MPI: built by the first of its compiler wrappers that is of the same MPI; where there is
 * none, one that was built before (a compute node may have no compiler).
 * @throws InterposerError where there is neither, or others can have written what is there
 */
export async function findLibrary(
  launcher: Wanted,
  purpose: Purpose = "packing",
  folder: string = libraryFolder(),
): Promise<string> {
  const failures: string[] = [];
  for (const compiler of launcher.compilers) {
    try {
      const identify: Identify = (mpicc, flags) => knownIdentity(mpicc, folder, flags);
      const mpi = launcher.family === STANDARD ? standardIdentity(compiler, identify) : identify(compiler);
      if (mpi === undefined || ![undefined, mpi.family].includes(launcher.family)) continue;
      return (await buildLibrary(compiler, folder, purpose, mpi)).path;
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  const families = launcher.family === undefined ? FAMILIES : [launcher.family];
  const built = families.map((family) => builtBefore(family, purpose, folder)).findLast((each) => each !== undefined);
  if (built !== undefined) return built;
  throw new InterposerError(
    failures[0] ?? `MPI of the command: expected a compiler wrapper of ${launcher.family}'s, got none`,
  );
}

/** A launcher whose programs are of its MPI's ABI, or of the standard's. */
type Wanted = Pick<Launcher, "compilers"> & { readonly family: MpiAbi | undefined };

/** A folder of another user's is refused, whoever has found it: what lies there would run in every rank. */
function builtBefore(family: MpiAbi | "any", purpose: Purpose, folder: string): string | undefined {
  const trusted = trustedFolder(folder);
  if (trusted === undefined) return undefined;
  const names = orRefused(folder, "a folder that can be read", () => readdirSync(trusted.path));
  const name = lastBuilt(names, purpose, family);
  return name === undefined ? undefined : trustedFile(trusted, name);
}
