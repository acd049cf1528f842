import { createHash, randomUUID } from "node:crypto";
import { closeSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustedFolder } from "../cache/private-folder.js";
import { openTrusted } from "../cache/trusted-file.js";
import type { Environment } from "../environment.js";
import { onPath } from "../run/launcher.js";
import { VERSION } from "../version.js";
import { mpiIdentity, type MpiIdentity } from "./mpi-identity.js";

/** What wrappers and the compilers behind them read besides their arguments. */
const READ_BY_WRAPPERS = /^(OMPI_|OPAL_|MPICH_|I_MPI_|MPI|PATH$|CC$|CPATH$|C_INCLUDE_PATH$|COMPILER_PATH$)/;

/** What is kept of a wrapper. */
interface Known {
  readonly identity: MpiIdentity;
  /** The files that told it, and which bytes they had. */
  readonly files: readonly { readonly path: string; readonly stamp: string }[];
}

/**
 * What mpiIdentity tells, asked once: two runs of a compiler cost a command some 50 ms. It is kept beside the libraries
 * and holds while the wrapper and its mpi.h are the files that they were, in the same environment.
 * @throws InterposerError as mpiIdentity does
 */
export function knownIdentity(
  mpicc: string,
  folder: string,
  flags: readonly string[] = [],
  environment: Environment = process.env,
): MpiIdentity {
  const wrapper = onPath(mpicc, environment);
  if (wrapper === undefined) return mpiIdentity(mpicc, flags);
  const name = `mpi-${hashOf([VERSION, wrapper, ...flags, ...relevant(environment)])}.json`;
  const known = read(folder, name);
  if (known?.files.every(({ path, stamp }) => stampOf(path) === stamp) === true) return known.identity;
  const identity = mpiIdentity(mpicc, flags);
  const files = [wrapper, realpathSync(wrapper), identity.header].map((path) => ({ path, stamp: stampOf(path) }));
  keep(folder, name, { identity, files });
  return identity;
}

const relevant = (environment: Environment): readonly string[] =>
  Object.entries(environment)
    .filter(([name]) => READ_BY_WRAPPERS.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();

const hashOf = (words: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 16);

/** What changes where a file is replaced or written; "": there is no file. */
function stampOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? "" : [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(" ");
}

/** Whoever can write there has code run in every rank anyway. */
function read(folder: string, name: string): Known | undefined {
  try {
    const trusted = trustedFolder(folder);
    const file = trusted && openTrusted(trusted, name);
    if (file === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Known;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Where that cannot be, it is asked again. */
function keep(folder: string, name: string, known: Known): void {
  try {
    const beside = join(folder, `${name}.${randomUUID()}.new`);
    writeFileSync(beside, JSON.stringify(known), { mode: 0o600, flag: "wx" });
    renameSync(beside, join(folder, name));
  } catch {
    // no folder of ours
  }
}
