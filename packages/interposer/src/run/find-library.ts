import { readdirSync } from "node:fs";
import { BEGINNINGS, buildLibrary } from "../build/build-library.js";
import type { Purpose } from "../build/sources.js";
import { mpiIdentity, type MpiFamily } from "../build/mpi-identity.js";
import { libraryFolder } from "../cache/cache-folders.js";
import { orRefused, trustedFolder } from "../cache/private-folder.js";
import { trustedFile } from "../cache/trusted-file.js";
import { InterposerError } from "../errors.js";
import { VERSION } from "../version.js";
import type { Launcher } from "./launcher.js";

export const FAMILIES: readonly MpiFamily[] = ["mpich", "openmpi"];

/**
 * The library for a launcher's MPI: built by the first of its compiler wrappers that is of the same MPI; where there is
 * none, one that was built before (a compute node may have no compiler).
 * @throws InterposerError where there is neither, or others can have written what is there
 */
export async function findLibrary(
  launcher: Launcher,
  purpose: Purpose = "packing",
  folder: string = libraryFolder(),
): Promise<string> {
  const failures: string[] = [];
  for (const compiler of launcher.compilers) {
    try {
      if (launcher.family !== undefined && mpiIdentity(compiler).family !== launcher.family) continue;
      return (await buildLibrary(compiler, folder, purpose)).path;
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  const built = builtBefore(launcher, purpose, folder);
  if (built !== undefined) return built;
  throw new InterposerError(
    failures[0] ?? `MPI of the command: expected a compiler wrapper of ${launcher.family}'s, got none`,
  );
}

/** A folder of another user's is refused, whoever has found it: what lies there would run in every rank. */
function builtBefore({ family }: Launcher, purpose: Purpose, folder: string): string | undefined {
  const beginnings = (family === undefined ? FAMILIES : [family]).map((each) => `${BEGINNINGS[purpose]}${each}-`);
  const trusted = trustedFolder(folder);
  if (trusted === undefined) return undefined;
  const names = orRefused(folder, "a folder that can be read", () => readdirSync(trusted.path));
  const candidates = names.filter((name) => beginnings.some((beginning) => name.startsWith(beginning)));
  const name = candidates.toSorted().findLast((each) => each.includes(`-${VERSION}-`) && each.endsWith(".so"));
  return name === undefined ? undefined : trustedFile(trusted, name);
}
