import type { Environment, MpiFamily } from "@stowage/mpi-abi";
import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { createInterface } from "node:readline";

/** One start of a program under an MPI's launcher. */
export interface Launch {
  readonly family: MpiFamily;
  readonly launcher: string;
  readonly ranks: number;
  readonly command: readonly string[];
  readonly environment: Environment;
  /** Whether each rank keeps to a core, where there are as many. */
  readonly bound: boolean;
  readonly limitMs: number;
  /** Told each line of standard output at once. */
  readonly line: (text: string) => void;
  readonly stopped: () => Promise<boolean>;
}

const POLL_MS = 100;
/** Variables by which a launcher tells ranks who they are; a launcher inside one of them must not believe them. */
const OF_A_RANK = /^(?:OMPI_(?!MCA_(?:pml|btl|mtl|mpi|coll|osc|plm)_?)|PMIX_|PMI_|PRTE_|ORTE_|HYDI_|MPI_LOCAL)/;

/** Starts it and waits for its end. Throws one line where it does not end with 0, or not within its time. */
export async function launch(asked: Launch): Promise<void> {
  const [launcher = "", ...args] = [asked.launcher, ...argumentsOf(asked), ...asked.command];
  const child = spawn(launcher, args, { env: { ...outsideOfRanks(process.env), ...ROOT, ...asked.environment } });
  let [errors, isLate] = ["", false];
  const end = performance.now() + asked.limitMs;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on("line", asked.line);
  const poll = setInterval(() => {
    isLate ||= performance.now() > end;
    void asked.stopped().then((stopped) => (stopped || isLate) && child.kill("SIGTERM"));
  }, POLL_MS);
  try {
    const got = await ended(child);
    if (got === 0 || (await asked.stopped())) return;
    const told = isLate ? `none after ${asked.limitMs / 1000} s` : `${got}${firstLine(errors)}`;
    throw new Error(`${asked.command.join(" ")} on ${asked.ranks} ranks: expected to end with 0, got ${told}`);
  } finally {
    clearInterval(poll);
  }
}

const ended = (child: ReturnType<typeof spawn>): Promise<number | string> =>
  new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
  });

function firstLine(errors: string): string {
  const line = errors.split("\n").find((text) => /\w/.test(text));
  return line === undefined ? "" : `: ${line.trim()}`;
}

/** More ranks than cores, and as root, are fine with us. */
const ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** The environment without the variables by which a launcher tells a rank who it is: for a launcher inside one. */
export const outsideOfRanks = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_A_RANK.test(name)));

function argumentsOf({ family, ranks, bound }: Launch): readonly string[] {
  const isBound = bound && ranks <= cpus().length;
  if (family === "openmpi") return ["--oversubscribe", "--bind-to", isBound ? "core" : "none", "-n", String(ranks)];
  return [...(isBound ? ["-bind-to", "core"] : []), "-n", String(ranks)];
}
