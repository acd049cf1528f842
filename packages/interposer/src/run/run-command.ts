import { spawn, type StdioOptions } from "node:child_process";
import { isatty } from "node:tty";
import type { Environment } from "../environment.js";
import { InterposerError } from "../errors.js";
import type { Run } from "./run-environment.js";

/** How a command ended: by itself, or by a signal. */
export type Ended = { readonly status: number } | { readonly signal: string };

/** What batch systems and users send. */
const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGXCPU"] as const;
/** What a terminal sends to its whole group: the command has it already. */
const FROM_TERMINALS = ["SIGINT", "SIGQUIT", "SIGTSTP"] as const;

/**
 * Runs a command in this process's place: with its input and output, and the signals that this process gets.
 * @throws InterposerError where it cannot be started
 */
export function runCommand({ words: [file = "", ...args], environment }: Run): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Before the command exists: a signal must not end us and leave it behind.
    const forget = passSignals((signal) => child.kill(signal));
    const child = spawn(file, args, { env: environment, stdio: inherited(environment) });
    child.once("error", (error: NodeJS.ErrnoException) => {
      forget();
      reject(new InterposerError(`${file}: expected a program, got ${error.code}`, { cause: error }));
    });
    child.once("exit", (status, signal) => {
      forget();
      resolve(signal === null ? { status: status ?? 0 } : { signal });
    });
  });
}

/**
 * Standard input and output, and the connection to the launcher of a task that is a run of its own (PMI-1's wire
 * protocol: MPICH's Hydra, Slurm). Node passes no other descriptor on.
 */
function inherited({ PMI_FD: launcher = "" }: Environment): StdioOptions {
  const files = ["inherit", "inherit", "inherit"] as const;
  const file = Number(launcher);
  if (!Number.isInteger(file) || file < files.length) return [...files];
  return [...files, ...Array.from({ length: file - files.length }, () => "ignore" as const), file];
}

function passSignals(passOn: (signal: NodeJS.Signals) => void): () => void {
  const passOnUnlessSeen = (signal: NodeJS.Signals): void => void (isatty(0) || passOn(signal));
  for (const signal of PASSED_ON) process.on(signal, passOn);
  for (const signal of FROM_TERMINALS) process.on(signal, passOnUnlessSeen);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, passOn);
    for (const signal of FROM_TERMINALS) process.off(signal, passOnUnlessSeen);
  };
}
