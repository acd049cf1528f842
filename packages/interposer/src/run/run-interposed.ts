import { spawnSync } from "node:child_process";
import { InterposerError } from "../errors.js";
import { startService } from "../service/start-service.js";
import { findLibrary } from "./find-library.js";
import { launcherOf } from "./launcher.js";
import { runCommand, type Ended } from "./run-command.js";
import { interposed, type Run, type RunOptions } from "./run-environment.js";

/**
 * Runs a command, such as mpirun with its arguments, with this project's packing in its ranks. Where something of ours cannot be
 * had the command runs all the same, natively; `say` gets one line for each such reason.
 * @throws InterposerError where the command cannot be started, or --record and --verify cannot be kept
 */
export async function runInterposed(
  words: readonly string[],
  options: RunOptions,
  say: (line: string) => void,
): Promise<Ended> {
  const service = await optional(startService, say);
  try {
    return await runCommand(prepared(words, service?.path, options, say));
  } finally {
    service?.process?.stdin?.end(); // it serves on while another's ranks need it
  }
}

async function optional<T>(start: () => Promise<T>, say: (line: string) => void): Promise<T | undefined> {
  try {
    return await start();
  } catch (error) {
    say(`${(error as Error).message}: types that are not cached stay native`);
    return undefined;
  }
}

function prepared(
  words: readonly string[],
  service: string | undefined,
  options: RunOptions,
  say: (line: string) => void,
): Run {
  try {
    const launcher = launcherOf(words);
    return interposed(words, launcher, loadable(findLibrary(launcher)), service, options);
  } catch (error) {
    if (!(error instanceof InterposerError) || options.verify === true || options.record !== undefined) throw error;
    say(`${error.message}: running natively`);
    return { words, environment: process.env };
  }
}

/** The loader goes on without a library that it cannot map, but says so in every process: noexec, another processor's, damaged. */
function loadable(library: string): string {
  const { stderr } = spawnSync("/bin/true", [], { env: { LD_PRELOAD: library }, encoding: "utf8" });
  if (typeof stderr !== "string" || stderr === "") return library;
  throw new InterposerError(
    `${library}: expected a library that loads, got ${stderr.trim().replaceAll(/\s*\n\s*/g, " ")}`,
  );
}
