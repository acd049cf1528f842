import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const DAEMONS = ["munged", "slurmctld", "slurmd"];
/** Daemons of Slurm start as root alone. */
export const hasSlurm = process.geteuid?.() === 0 && DAEMONS.every((name) => spawnSync("which", [name]).status === 0);

const CONTROLLER_PORT = 16_817;
const NODE_PORT = 16_818;
const MOST_TRIES = 100;
const TRY_MS = 100;

const configuration = (folder: string, node: string): string =>
  [
    "ClusterName=one",
    `SlurmctldHost=${node}(127.0.0.1)`,
    "AuthType=auth/munge",
    `AuthInfo=socket=${folder}/munge.socket`,
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "SlurmUser=root",
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool`,
    `SlurmctldPidFile=${folder}/slurmctld.pid`,
    `SlurmdPidFile=${folder}/slurmd.pid`,
    `SlurmctldPort=${CONTROLLER_PORT}`,
    `SlurmdPort=${NODE_PORT}`,
    "JobAcctGatherType=jobacct_gather/none",
    `NodeName=${node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN`,
    "PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES",
    "",
  ].join("\n");

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < MOST_TRIES && !isSo(); i++) await setTimeout(TRY_MS);
}

function ended(daemon: ChildProcess): Promise<unknown> {
  const end = new Promise((resolve) => daemon.once("exit", resolve));
  return daemon.exitCode === null && daemon.kill("SIGTERM") ? end : Promise.resolve();
}

/** A Slurm of this machine alone, in a folder of its own; `environment` makes its commands find it. */
export class OneNodeCluster implements AsyncDisposable {
  readonly environment: NodeJS.ProcessEnv;
  readonly #daemons: ChildProcess[] = [];

  private constructor(folder: string) {
    this.environment = { SLURM_CONF: join(folder, "slurm.conf") };
  }

  /** Resolves when the node takes tasks. */
  static async start(folder: string): Promise<OneNodeCluster> {
    const cluster = new OneNodeCluster(folder);
    for (const name of ["state", "spool"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "munge.key"), randomBytes(1024), { mode: 0o400 });
    writeFileSync(join(folder, "slurm.conf"), configuration(folder, hostname().split(".")[0] as string));
    const files = ["key", "pid", "log", "seed"].map((each) => `--${each}-file=${folder}/munge.${each}`);
    cluster.#run("munged", ["--foreground", "--force", `--socket=${folder}/munge.socket`, ...files]);
    cluster.#run("slurmctld", ["-D"]);
    cluster.#run("slurmd", ["-D"]);
    await until(() => cluster.#ask("sinfo", "--noheader", "--format=%t") === "idle");
    return cluster;
  }

  #run(program: string, args: readonly string[]): void {
    this.#daemons.push(spawn(program, args, { env: { ...process.env, ...this.environment }, stdio: "ignore" }));
  }

  #ask(command: string, ...args: readonly string[]): string {
    const env = { ...process.env, ...this.environment };
    return spawnSync(command, args, { env, encoding: "utf8" }).stdout.trim();
  }

  /** Resolves when every task has been accounted for, which its keeper waits for, and the daemons have gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await until(() => this.#ask("squeue", "--noheader") === "");
    for (const daemon of this.#daemons.toReversed()) await ended(daemon);
  }
}
