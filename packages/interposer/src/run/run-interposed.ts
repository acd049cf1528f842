import { existsSync } from "node:fs";
import type { MpiFamily } from "../build/mpi-identity.js";
import { InterposerError } from "../errors.js";
import { DEVICE_ROUTES, HOST_ROUTES, keepRouteTable, type TableKind } from "../routes/route-table.js";
import { beginService, type BegunService } from "../service/start-service.js";
import type { Loaded } from "./find-library.js";
import { knownLibraries } from "./known-libraries.js";
import { FAMILIES, launcherOf, onPath, type Launcher } from "./launcher.js";
import { runCommand, type Ended } from "./run-command.js";
import { interposed, type RunOptions } from "./run-environment.js";
import { RunSummary } from "./summary.js";

/** Takes a line: for those who asked for lines, or, at the end of a run that gained nothing, for every user. */
export type Say = (line: string, isForAll?: boolean) => void;

/**
 * Runs a command, such as mpirun with its arguments, with this project's packing in its ranks. Where something of ours
 * cannot be had the command runs all the same, natively; `say` gets one line for each such reason, and one for all
 * where no message that was sent, or received, went by our code.
 * @throws InterposerError where the command cannot be started, or --record and --verify cannot be kept
 */
export async function runInterposed(words: readonly string[], options: RunOptions, say: Say): Promise<Ended> {
  const [program = ""] = words;
  if (onPath(program) === undefined) throw new InterposerError(`${program}: expected a program, got none`);
  const launcher = launcherOf(words);
  const libraries = await librariesFor(launcher, options);
  if (libraries instanceof InterposerError) return runNatively(words, launcher, libraries, say);
  await keepRoutes(launcher, say);
  const service = await serviceIfAny(options, say);
  using summary = new RunSummary();
  try {
    return await runCommand(interposed(words, launcher, libraries, service?.path, options, process.env, summary.path));
  } finally {
    const whyNative = summary.whyNative();
    if (whyNative !== undefined) say(whyNative, true);
    const unanswered = service?.unanswered();
    if (unanswered !== undefined)
      say(
        `${unanswered} when the command ended: what was not cached stayed native, and the next run has what was asked for`,
      );
    service?.end(); // it serves on while another's ranks need it
  }
}

async function runNatively(words: readonly string[], { family }: Launcher, why: Error, say: Say): Promise<Ended> {
  say(`${why.message}: running natively`);
  const ended = await runCommand({ words, environment: process.env });
  if (family !== undefined) say(`no message went by our code: ${why.message}`, true);
  return ended;
}

/** Ranks read them where code is, and do without. */
async function keepRoutes({ family }: Launcher, say: Say): Promise<void> {
  const mpis = family === undefined ? FAMILIES : [family];
  for (const mpi of mpis) await keepTable(DEVICE_ROUTES, mpi, say, hasGpu() ? "go by the routes of H200s" : undefined);
  if (!choosesHostWays()) return;
  for (const mpi of mpis) await keepTable(HOST_ROUTES, mpi, say, "begin as on a Xeon");
}

/** `otherwise`: what messages do without; undefined: there are none. */
async function keepTable(kind: TableKind, mpi: MpiFamily, say: Say, otherwise: string | undefined): Promise<void> {
  try {
    const table = await keepRouteTable(kind, mpi);
    if (table !== undefined) say(`${kind.messages}: ${table.trimEnd().split("\n").slice(1).join("; ")}`);
  } catch (error) {
    if (otherwise !== undefined) say(`${(error as Error).message}: ${kind.messages} ${otherwise}`);
  }
}

const choosesHostWays = (): boolean => process.env["STOWAGE_HOST_ROUTE"] === "measured";

/** NVIDIA's driver is loaded; under WSL it is the host's. */
const hasGpu = (): boolean => ["/dev/nvidiactl", "/dev/dxg"].some((device) => existsSync(device));

/** The recorder comes first: a call's time begins in it. Or why there are none. */
async function librariesFor(launcher: Launcher, options: RunOptions): Promise<readonly Loaded[] | InterposerError> {
  try {
    return await knownLibraries(launcher, options.record === undefined ? ["packing"] : ["recording", "packing"]);
  } catch (error) {
    if (!(error instanceof InterposerError) || options.verify === true || options.record !== undefined) throw error;
    return error;
  }
}

/** One that starts with the first rank that asks: it is answered later, and nobody waits. */
async function serviceIfAny({ verbose }: RunOptions, say: Say): Promise<BegunService | undefined> {
  const sayWhy = (error: unknown): void => say(`${(error as Error).message}: types that are not cached stay native`);
  try {
    const environment = verbose === true ? { ...process.env, STOWAGE_VERBOSE: "1" } : process.env;
    const service = await beginService(environment, "when asked");
    service.ready.catch(sayWhy);
    return service;
  } catch (error) {
    sayWhy(error);
    return undefined;
  }
}
