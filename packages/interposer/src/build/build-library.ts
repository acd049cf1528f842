import { createHash } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { libraryFolder } from "../cache/cache-folders.js";
import { ownFolder, trustedFolder } from "../cache/private-folder.js";
import { trustedFile } from "../cache/trusted-file.js";
import { VERSION } from "../version.js";
import { buildingFolder } from "./building-folder.js";
import { buildingLock } from "./building-lock.js";
import { mpiIdentity, type MpiIdentity } from "./mpi-identity.js";
import { withCompilers, type Compilers } from "./run-compilers.js";
import { loaderSources, sources, type Purpose, type Sources } from "./sources.js";

/** A library to preload, and what it was built for. */
export interface Library {
  /** The path of the shared library. */
  readonly path: string;
  readonly mpi: MpiIdentity;
  /** Whether it was there already. */
  readonly isCached: boolean;
}

/** What names the libraries of hooks to one that is for all MPIs, each as FAMILY=PATH, colons between. */
export const LIBRARIES: Readonly<Record<Purpose, string>> = {
  packing: "STOWAGE_LIBRARIES",
  recording: "STOWAGE_RECORDERS",
};

const FLAGS = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden"];

/** How a library's name begins, before the MPI's; `any` where it is for all of them. */
export const BEGINNINGS: Readonly<Record<Purpose, string>> = {
  packing: "libstowage-",
  recording: "libstowage-recorder-",
};

/**
 * The last by name among file names: of this version, for an MPI (`openmpi`, or a release, `openmpi-5.0.7`), for a
 * program of the standard's ABI (`mpi-abi`), or for whichever of them a program has (`any`).
 */
export const lastBuilt = (names: readonly string[], purpose: Purpose, mpi: string): string | undefined =>
  names
    .filter((name) => name.startsWith(`${BEGINNINGS[purpose]}${mpi}-`))
    .toSorted()
    .findLast((name) => name.includes(`-${VERSION}-`) && name.endsWith(".so"));

/**
 * The library to preload into programs of an MPI, or of the standard's ABI where `mpi` says so: found where one was
 * built of these sources for it, else built by the compiler wrapper. It is bound to no MPI library: what it calls is
 * the program's, and in a program without MPI it does nothing. `folder` is where libraries lie and are put (default:
 * STOWAGE_INTERPOSER, or else stowage/lib in the user's cache); `purpose` is "packing" or "recording".
 * @throws InterposerError where there is no wrapper or no compiler, or it refuses, with its first words
 */
export async function buildLibrary(
  mpicc: string = process.env["STOWAGE_MPICC"] || "mpicc",
  folder: string = libraryFolder(),
  purpose: Purpose = "packing",
  mpi: MpiIdentity = mpiIdentity(mpicc),
): Promise<Library> {
  const source = sources(purpose);
  const name = BEGINNINGS[purpose] + fileName(mpi, source);
  const built = builtIn(folder, name);
  if (built !== undefined) return { path: built, mpi, isCached: true };
  const path = join(ownFolder(folder), name);
  return { path, mpi, isCached: !(await compile(mpicc, mpi, source, path)) };
}

/**
 * The library to preload where the programs may be of any MPI: it loads those that `buildLibrary` made, which the
 * environment names, when it knows which a program needs. Returns its path.
 * @throws InterposerError where there is no compiler, or it refuses, with its first words
 */
export async function buildLoader(
  compiler = "cc",
  folder: string = libraryFolder(),
  purpose: Purpose = "packing",
): Promise<string> {
  const source = loaderSources(purpose);
  const name = `${BEGINNINGS[purpose]}any-${VERSION}-${source.hash.slice(0, 12)}.so`;
  const built = builtIn(folder, name);
  if (built !== undefined) return built;
  const path = join(ownFolder(folder), name);
  await link(path, async (compilers, work) => {
    const own = source.includes.map((include) => `-I${include}`);
    const library = join(work, "library.so");
    const defined = [`-DSTOWAGE_VERSION="${VERSION}"`, `-DSTOWAGE_LIBRARIES="${LIBRARIES[purpose]}"`];
    const flags = [...FLAGS, ...defined, ...own, "-shared", "-Wl,-z,lazy", "-o", library];
    await compilers.call(compiler, [...flags, ...source.files, "-ldl"]);
    return library;
  });
  return path;
}

/**
 * The library's name tells what it is made of: two MPIs of one version may have other headers, which the wrapper's
 * flags tell.
 */
function fileName({ family, version, commandLine, flags }: MpiIdentity, source: Sources): string {
  const hash = createHash("sha256")
    .update(`${[commandLine, ...flags].join(" ")}\n${source.hash}`)
    .digest("hex")
    .slice(0, 12);
  return `${family}-${version}-${VERSION}-${hash}.so`;
}

/** One that is not to be trusted is built anew in its place, where the folder is. */
function builtIn(folder: string, name: string): string | undefined {
  const trusted = trustedFolder(folder);
  try {
    return trusted && trustedFile(trusted, name);
  } catch {
    return undefined;
  }
}

/**
 * Objects by the wrapper, for its headers, on all cores; linked by the compiler behind it, for none of its libraries.
 */
function compile(mpicc: string, mpi: MpiIdentity, { files, includes }: Sources, path: string): Promise<boolean> {
  return link(path, async (compilers, work) => {
    const defined = [`-DSTOWAGE_VERSION="${VERSION}"`, `-DSTOWAGE_MPI="${mpi.family}-${mpi.version}"`];
    const own = includes.map((folder) => `-I${folder}`);
    const flags = [...mpi.flags, ...FLAGS, ...defined, ...own];
    const objects = files.map((file, i) => join(work, `${i}-${basename(file, ".c")}.o`));
    await compilers.callAll(files.map((file, i) => [mpicc, ...flags, "-c", "-o", objects[i] as string, file]));
    const [compiler = "cc"] = mpi.commandLine.split(/\s+/);
    const object = join(work, "all.o");
    await compilers.call(compiler, ["-r", "-nostdlib", "-o", object, ...objects]);
    // A program without MPI has none of its symbols: weak ones are absent there, others would keep it from starting.
    const needed = await compilers.call("nm", ["-u", "-P", object]);
    await compilers.call("objcopy", [...ofMpi(needed).map((name) => `-W${name}`), object]);
    const library = join(work, "library.so");
    await compilers.call(compiler, ["-shared", "-Wl,-z,lazy", "-o", library, object, "-ldl", "-lpthread"]);
    return library;
  });
}

/**
 * Made in a folder beside its place, and put there whole. Of several processes that want it at once, the first runs of
 * a job say, one makes it and the others wait; false where another did.
 */
async function link(path: string, make: (compilers: Compilers, work: string) => Promise<string>): Promise<boolean> {
  const lock = await buildingLock(path);
  let work: string | undefined;
  return withCompilers(
    async (compilers) => {
      if (builtIn(dirname(path), basename(path)) !== undefined) return false;
      work = buildingFolder(path);
      renameSync(await make(compilers, work), path);
      return true;
    },
    () => {
      if (work !== undefined) rmSync(work, { recursive: true, force: true, maxRetries: 3 });
      lock.release();
    },
  );
}

/** The symbols of an MPI and of UCX among those that nm lists. */
const ofMpi = (symbols: string): readonly string[] =>
  symbols
    .split("\n")
    .map((line) => line.split(" ")[0] as string)
    .filter((name) => /^(P?MPIX?_|MPIR_|ompi_|opal_|p?mpi_|uc[pst]_)/.test(name));
