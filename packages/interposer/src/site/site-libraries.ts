import { readdirSync } from "node:fs";
import { join } from "node:path";
import { BEGINNINGS, lastBuilt, LIBRARIES } from "../build/build-library.js";
import type { MpiAbi } from "../build/mpi-identity.js";
import { InterposerError } from "../errors.js";
import { VERSION } from "../version.js";

const ABIS: readonly MpiAbi[] = ["openmpi", "mpich", "mpi-abi"];

/** The libraries of a folder that `exportFiles` filled, by their file names. */
export interface SiteLibraries {
  /** The one that is preloaded. */
  readonly preloaded: string;
  /** Those that it loads, by the ABI of the programs that each is for. */
  readonly byAbi: readonly (readonly [abi: MpiAbi, name: string])[];
}

/**
 * What programs of every MPI need from a site's folder. `mpis` names those that are wanted, such as `openmpi-5.0.7`,
 * where the folder holds libraries for several releases of one; else the last by name of each is taken.
 * @throws InterposerError where the folder has no library to preload, or none for an MPI that was named
 */
export function siteLibraries(site: string, mpis: readonly string[] = []): SiteLibraries {
  if (/[\s:]/.test(site))
    throw new InterposerError(`${site}: expected a path without spaces and colons, which end a name in LD_PRELOAD`);
  const names = namesIn(join(site, "lib"));
  const preloaded = lastOf(names, "any");
  const absent = mpis.find((mpi) => lastOf(names, mpi) === undefined);
  if (absent !== undefined)
    throw new InterposerError(`${site}: expected a library for ${absent}, got ${listed(names) || "none"}`);
  const byAbi = ABIS.flatMap((abi) => {
    const name = lastOf(names, mpis.find((mpi) => mpi.startsWith(abi)) ?? abi);
    return name === undefined ? [] : [[abi, name] as const];
  });
  if (preloaded === undefined || byAbi.length === 0)
    throw new InterposerError(
      `${site}: expected libraries of Stowage ${VERSION} (\`stowage interposer build\`, then \`stowage cache export ${site}\`), got ${listed(names) || "none"}`,
    );
  return { preloaded, byAbi };
}

/** The value of the variable that tells the preloaded library of the others, below a folder. */
export const namedLibraries = ({ byAbi }: SiteLibraries, folder: string): string =>
  byAbi.map(([abi, name]) => `${abi}=${folder}/${name}`).join(":");

export const LIBRARIES_VARIABLE = LIBRARIES.packing;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(BEGINNINGS.packing) && !name.startsWith(BEGINNINGS.recording))
      .filter((name) => name.endsWith(".so"))
      .toSorted();
  } catch (error) {
    throw new InterposerError(
      `${folder}: expected a folder of libraries (\`stowage cache export\`), got ${(error as NodeJS.ErrnoException).code}`,
      { cause: error },
    );
  }
}

const lastOf = (names: readonly string[], mpi: string): string | undefined => lastBuilt(names, "packing", mpi);

const listed = (names: readonly string[]): string => names.join(", ");
