import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildLibrary, startService, type MpiAbi, type MpiFamily, type RunningService } from "../../src/index.js";
import { inFolder } from "../service/in-folder.js";

/** An MPI as its Debian package installs it; for the standard's ABI as scripts/in-debian.mjs names its wrappers. */
export interface InstalledMpi {
  readonly name: "openmpi" | "mpich" | "openmpi-abi" | "mpich-abi";
  readonly family: MpiFamily;
  /** What programs are compiled for. */
  readonly abi: MpiAbi;
  readonly compiler: string;
  readonly launch: readonly string[];
}

const LAUNCH = { openmpi: ["mpirun.openmpi", "--oversubscribe"], mpich: ["mpiexec.mpich"] } as const;

const mpiOf = (family: MpiFamily, abi: MpiAbi): InstalledMpi =>
  abi === "mpi-abi"
    ? { name: `${family}-abi`, family, abi, compiler: `mpicc_abi.${family}`, launch: LAUNCH[family] }
    : { name: family, family, abi, compiler: `mpicc.${family}`, launch: LAUNCH[family] };

const MPIS: readonly InstalledMpi[] = [
  mpiOf("openmpi", "openmpi"),
  mpiOf("mpich", "mpich"),
  mpiOf("openmpi", "mpi-abi"),
  mpiOf("mpich", "mpi-abi"),
];

export const INSTALLED: readonly InstalledMpi[] = MPIS.filter(
  ({ compiler }) => spawnSync(compiler, ["--version"]).status === 0,
);

export interface Ran {
  readonly output: string;
  readonly errors: string;
}

/** What a program of an MPI runs with: a service, a cache, and the library of that MPI. */
export interface Surroundings {
  readonly mpi: InstalledMpi;
  readonly folder: string;
  /** To preload. */
  readonly library: string;
  readonly service: RunningService;
}

/** How a run is made ours: nothing of it is set for a native one. */
export interface Interposing {
  readonly verify?: boolean;
  /** Put before the library, or behind it. */
  readonly before?: string;
  readonly behind?: string;
  /** The library is linked already: no preloading. */
  readonly isLinked?: boolean;
  /** Another library than that of the program's MPI. */
  readonly library?: string;
  /** What ranks find in their environment besides: NAME=VALUE. */
  readonly variables?: readonly string[];
}

const SOURCES = fileURLToPath(new URL(".", import.meta.url));
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

function succeed(command: string, args: readonly string[], cwd?: string): Ran {
  const env = { ...process.env, ...AS_ROOT };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    env,
    cwd,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0)
    throw new Error(
      `${[command, ...args].join(" ")}: expected to end with 0, got ${error?.message ?? status}: ${stderr}`,
    );
  return { output: stdout, errors: stderr };
}

/** Compiles tests/programs/SOURCE; returns the program's path. */
export function compiled({ mpi, folder }: Surroundings, source: string, flags: readonly string[] = []): string {
  const program = join(folder, `${basename(source, ".c")}-${mpi.name}`);
  succeed(mpi.compiler, ["-std=gnu11", "-O1", "-o", program, join(SOURCES, source), ...flags]);
  return program;
}

export const startServiceIn = (folder: string): Promise<RunningService> =>
  startService({ ...process.env, STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder });

/** What `use` makes of an MPI with a folder and a service of its own. */
export const within = <Made>(
  mpi: Surroundings["mpi"],
  use: (surroundings: Surroundings) => Made | Promise<Made>,
): Promise<Made> =>
  inFolder(async (folder) => {
    const { path: library } = await buildLibrary(mpi.compiler);
    const service = await startServiceIn(folder);
    try {
      return await use({ mpi, folder, library, service });
    } finally {
      service.process?.kill("SIGKILL");
    }
  });

/** Runs words on so many ranks, natively without `how`. */
export function ran(
  { mpi, folder, library, service }: Surroundings,
  ranks: number,
  words: readonly string[],
  how?: Interposing,
  cwd?: string,
): Ran {
  const [launcher = "", ...own] = [...mpi.launch, "-n", String(ranks)];
  if (how === undefined) return succeed(launcher, [...own, ...words], cwd);
  const preloaded = how.isLinked === true ? "" : (how.library ?? library);
  const preload = [how.before ?? "", preloaded, how.behind ?? ""].filter((each) => each !== "").join(":");
  const variables = [
    `STOWAGE_CACHE=${join(folder, "cache")}`,
    `STOWAGE_SERVICE=${service.path}`,
    "STOWAGE_VERBOSE=1",
    `STOWAGE_VERIFY=${how.verify === true ? 1 : 0}`,
    ...(preload === "" ? [] : [`LD_PRELOAD=${preload}`]),
    ...(how.variables ?? []),
  ];
  return succeed(launcher, [...own, "env", ...variables, ...words], cwd);
}

const LOOK_MS = 25;
const LOOKS = 5;

/**
 * When the service has compiled what ran programs asked for: it sleeps whenever one looks, however busy the machine is.
 */
export async function codeHasCome({ service }: Surroundings): Promise<void> {
  for (let asleep = 0; asleep < LOOKS; asleep = isAsleep(service.process?.pid) ? asleep + 1 : 0)
    await setTimeout(LOOK_MS);
}

/** By the states of its threads (proc(5)): the main one compiles, others write. One that ends meanwhile was at work. */
function isAsleep(pid: number | undefined): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      / S \d/.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")),
    );
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "") && isRunning(pid)) return false;
    throw error;
  }
}

const isRunning = (pid: number | undefined): boolean => existsSync(`/proc/${pid}`);

export interface Counts {
  readonly ourMessages: number;
  readonly nativeBytes: number;
  readonly ourBytes: number;
  readonly ranges: number;
  readonly differences: number;
}

/** What the ranks' last lines come to together. */
export function countsOf({ errors }: Ran): Counts {
  const all = { ourMessages: 0, ourBytes: 0, nativeBytes: 0, ranges: 0, differences: 0 };
  for (const [, messages, bytes, natively] of errors.matchAll(
    /rank \d+: (\d+) messages of (\d+) bytes by our code, \d+ of (\d+) bytes natively/g,
  )) {
    all.ourMessages += Number(messages);
    all.ourBytes += Number(bytes);
    all.nativeBytes += Number(natively);
  }
  for (const [, ranges, differences] of errors.matchAll(/rank \d+: (\d+) ranges compared, (\d+) differences/g)) {
    all.ranges += Number(ranges);
    all.differences += Number(differences);
  }
  return all;
}
