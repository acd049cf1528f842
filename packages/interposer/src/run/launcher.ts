import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import type { MpiFamily } from "../build/mpi-identity.js";
import type { Environment } from "../environment.js";

/** What starts the ranks of a command, as far as its name tells. */
export interface Launcher {
  /** Open MPI's own, which passes no environment on to other nodes but what `-x` names. */
  readonly isOpenMpi: boolean;
  /** The MPI that the ranks are of; undefined where nothing tells. */
  readonly family: MpiFamily | undefined;
  /** Compiler wrappers to ask, the likeliest first. */
  readonly compilers: readonly string[];
}

const OPEN_MPI = /^(orterun|prterun|prun|(mpirun|mpiexec)\.openmpi)$/;
const MPICH = /^(hydra|mpiexec\.(hydra|gforker)|(mpirun|mpiexec)\.mpich)$/;
/** As execvp(3) of glibc has it where there is none. */
const DEFAULT_PATH = "/bin:/usr/bin";
const WRAPPERS = ["mpicc", "mpicc.openmpi", "mpicc.mpich"];
/** What wrappers and the compilers behind them read besides their arguments. */
const READ_BY_WRAPPERS = /^(OMPI_|OPAL_|MPICH_|I_MPI_|MPI|PATH$|CC$|CPATH$|C_INCLUDE_PATH$|COMPILER_PATH$)/;

export const FAMILIES: readonly MpiFamily[] = ["mpich", "openmpi"];

export function launcherOf([first = "", ...rest]: readonly string[], environment: Environment = process.env): Launcher {
  const path = onPath(first, environment);
  const names = path === undefined ? [basename(first)] : [basename(path), basename(realpathSync(path))];
  const isOpenMpi = names.some((name) => OPEN_MPI.test(name));
  const isMpich = names.some((name) => MPICH.test(name));
  const family = isOpenMpi ? "openmpi" : isMpich ? "mpich" : linkedFamily([first, ...rest], environment);
  return { isOpenMpi, family, compilers: compilersFor(path, environment) };
}

/** Those beside the launcher come first: it may be of an MPI that PATH names later. */
function compilersFor(launcher: string | undefined, environment: Environment): readonly string[] {
  const named = environment["STOWAGE_MPICC"];
  if (named !== undefined && named !== "") return [named];
  const beside = launcher === undefined ? [] : WRAPPERS.map((name) => join(dirname(launcher), name)).filter(existsSync);
  return [...new Set([...beside, ...WRAPPERS])];
}

/** The variables that what a wrapper tells depends on, each as NAME=VALUE. */
export const readByWrappers = (environment: Environment): readonly string[] =>
  Object.entries(environment)
    .filter(([name]) => READ_BY_WRAPPERS.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();

/**
 * The MPI that the first program among the words is linked with: of launchers that serve all MPIs, such as srun, or of
 * none.
 */
function linkedFamily(words: readonly string[], environment: Environment): MpiFamily | undefined {
  for (const word of words) {
    const program = onPath(word, environment);
    const libraries = program === undefined ? "" : spawnSync("ldd", [program], { encoding: "utf8" }).stdout;
    if (/libmpi\.so\.(20|40)/.test(libraries)) return "openmpi";
    if (/libmpi(ch)?\.so\.12/.test(libraries)) return "mpich";
  }
  return undefined;
}

/** The file that a shell would run. */
export function onPath(word: string, environment: Environment = process.env): string | undefined {
  const folders = word.includes("/") ? [""] : (environment["PATH"] ?? DEFAULT_PATH).split(delimiter);
  return folders.map((folder) => (folder === "" ? word : join(folder, word))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
