import { mkdirSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { cacheFolders } from "../cache/cache-folders.js";
import type { Environment } from "../environment.js";
import type { Loaded } from "./find-library.js";
import type { Launcher } from "./launcher.js";

/** Options of `runInterposed`, as `stowage run` has them. */
export interface RunOptions {
  /** A folder for one file a rank, which says what was committed and sent, and how often. Default: none is written. */
  readonly record?: string;
  /** Whether every message is packed by the MPI and by our code, and the two compared. Default: false. */
  readonly verify?: boolean;
  /** Whether each rank prints a line for whatever stays native. Default: false. */
  readonly verbose?: boolean;
}

/** What a command runs with. */
export interface Run {
  readonly words: readonly string[];
  readonly environment: Environment;
}

/** What ranks read; LD_PRELOAD is the loader's. */
type Variables = Readonly<Record<string, string>>;

/** Of the user's: all ranks have to decide alike (c/staged/staged-elements.c). */
const ALIKE = ["STOWAGE_STAGED", "STOWAGE_EXCLUDE"] as const;

/**
 * The command with our libraries preloaded, first: a profiler that was preloaded before keeps its place behind it.
 * Ranks inherit the variables under MPICH's launcher, srun and on this node; Open MPI's passes to other nodes what -x
 * names.
 */
export function interposed(
  words: readonly string[],
  launcher: Launcher,
  libraries: readonly Loaded[],
  service: string | undefined,
  options: RunOptions,
  environment: Environment = process.env,
  summary?: string,
): Run {
  const variables: Variables = {
    LD_PRELOAD: [...libraries.map(({ preloaded }) => preloaded), environment["LD_PRELOAD"] ?? ""]
      .filter((each) => each !== "")
      .join(":"),
    ...Object.fromEntries(libraries.map(({ variable }) => variable)),
    STOWAGE_CACHE: cacheFolders(environment).join(delimiter),
    ...(service === undefined ? {} : { STOWAGE_SERVICE: service }),
    ...(summary === undefined ? {} : { STOWAGE_SUMMARY: summary }),
    ...(options.record === undefined ? {} : { STOWAGE_RECORD: recordFolder(options.record) }),
    ...(options.verify === true ? { STOWAGE_VERIFY: "1" } : {}),
    ...(options.verbose === true ? { STOWAGE_VERBOSE: "1" } : {}),
    ...decidedAlike(environment),
  };
  const all = { ...environment, ...variables };
  if (!launcher.isOpenMpi) return { words, environment: all };
  return exported(words, Object.keys(variables), all);
}

function decidedAlike(environment: Environment): Variables {
  const variables = ALIKE.map((name): readonly [string, string] => [name, environment[name] ?? ""]);
  return Object.fromEntries(variables.filter(([, value]) => value !== ""));
}

function recordFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return resolve(folder);
}

/** Open MPI refuses -x beside a list of its own in the environment: then the names join that. */
function exported([first = "", ...rest]: readonly string[], names: readonly string[], environment: Environment): Run {
  const list = environment["OMPI_MCA_mca_base_env_list"];
  if (list !== undefined && list !== "") {
    const longer = [list, ...names].join(environment["OMPI_MCA_mca_base_env_list_delimiter"] ?? ";");
    return { words: [first, ...rest], environment: { ...environment, OMPI_MCA_mca_base_env_list: longer } };
  }
  return { words: [first, ...names.flatMap((name) => ["-x", name]), ...rest], environment };
}
