import { familyOfLibrary, findMpis, isStandardLibrary, type MpiFamily } from "@stowage/mpi-abi";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What installs both MPIs here. */
export const ADVICE = "node scripts/set-up-mpi.mjs";
/** vitest.config.ts sets it; who starts ranks without it gets as long. */
const HANG_MS = Number(process.env["STOWAGE_HANG_MS"] ?? 600_000);

/** Whether the libraries under test have the standard's ABI: STOWAGE_TEST_ABI=standard asks for it. */
const isStandard = process.env["STOWAGE_TEST_ABI"] === "standard";

/** The library of one family on this machine; undefined where it is not installed. */
export const installed = (family: MpiFamily): string | undefined =>
  findMpis({ ...process.env, STOWAGE_MPI: "" }).find(
    (path) => familyOfLibrary(path) === family && isStandardLibrary(path) === isStandard,
  );

/** Launchers, in Debian's names and in their own. */
const LAUNCHERS: Readonly<Record<MpiFamily, readonly string[]>> = {
  openmpi: ["mpirun.openmpi", "mpirun"],
  mpich: ["mpiexec.mpich", "mpiexec.hydra", "mpiexec"],
};

/** The wrapper of that MPI's compiler, in the names of Debian and of scripts/in-debian.mjs. */
export const compilerOf = (family: MpiFamily): string => (isStandard ? `mpicc_abi.${family}` : `mpicc.${family}`);

const launcherOf = (family: MpiFamily): string =>
  LAUNCHERS[family].find((name) => spawnSync(name, ["--version"]).status === 0) ?? (LAUNCHERS[family][0] as string);

export interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** More ranks than processors, and as root, are fine with us. */
const PERMISSIONS = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
const argumentsOf = (family: MpiFamily, ranks: number): readonly string[] =>
  family === "openmpi" ? ["--oversubscribe", "-n", String(ranks)] : ["-n", String(ranks)];

/** Runs a command under the launcher of an MPI; ends what hangs, or what takes longer than so many milliseconds. */
export function launch(
  family: MpiFamily,
  ranks: number,
  command: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  limitMs = HANG_MS,
): Run {
  const { status, stdout, stderr } = spawnSync(launcherOf(family), [...argumentsOf(family, ranks), ...command], {
    encoding: "utf8",
    timeout: limitMs,
    env: { ...process.env, ...PERMISSIONS, STOWAGE_MPI: installed(family), ...environment },
  });
  return { status, output: `${stdout}${stderr}` };
}

/**
 * A command of its own on each rank, by a shell that asks the launcher's environment which rank it is: the launcher of
 * Open MPI 5.0.7 in Debian (PRRTE 3.0.8) ends by SIGSEGV where it is given several programs, of whatever kind.
 */
export function launchEach(family: MpiFamily, commands: readonly (readonly string[])[]): Run {
  const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const arms = commands.map((words, rank) => `${rank}) exec ${words.map(quoted).join(" ")};;`);
  const script = `case "\${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in ${arms.join(" ")} esac`;
  return launch(family, commands.length, ["sh", "-c", script]);
}

/** Programs that import what the package does not export. */
const INSIDE: readonly string[] = ["shared-memory", "shared-memory-fault"];
/** The package as it is published, and programs beside it: vitest.config.ts says why. */
const STAGED = new URL("../../../tmp/packages/mpi-bridge/tests/", import.meta.url);

/** The file of a test program. */
export const programFile = (name: string): string =>
  fileURLToPath(new URL(`programs/${name}.mjs`, INSIDE.includes(name) ? import.meta.url : STAGED));

/** A program of Node on so many ranks: its output, each line once sorted by rank. */
export const launchProgram = (
  family: MpiFamily,
  ranks: number,
  program: string,
  environment?: NodeJS.ProcessEnv,
  limitMs?: number,
): Run => launch(family, ranks, [process.execPath, programFile(program)], environment, limitMs);
