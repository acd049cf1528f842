import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { canHaveHosts, TestHosts, type Ended } from "lab/hosts";

const DAEMONS = ["munged", "slurmctld", "slurmd"];
export const canHaveSlurm = canHaveHosts && DAEMONS.every((name) => spawnSync("which", [name]).status === 0);

const MUNGE_SOCKET = "/run/munge.socket";
/** A task's, in its environment: what it says as `export NAME=VALUE` is in the task's. */
const PROLOGUE = "prologue";
/** Slurmd's own, root's, before the first task of a job on its node. */
const NODE_PROLOGUE = "node-prologue";
const MOST_TRIES = 200;
const TRY_MS = 100;

/** Each host has a /run of its own. */
const configuration = ({ folder, names }: TestHosts): string =>
  [
    "ClusterName=hosts",
    `SlurmctldHost=${names[0]}`,
    "AuthType=auth/munge",
    `AuthInfo=socket=${MUNGE_SOCKET}`,
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    `TaskProlog=${join(folder, PROLOGUE)}`,
    `Prolog=${join(folder, NODE_PROLOGUE)}`,
    "SlurmUser=root",
    "StateSaveLocation=/run/slurm-state",
    "SlurmdSpoolDir=/run/slurm-spool",
    "SlurmctldPidFile=/run/slurmctld.pid",
    "SlurmdPidFile=/run/slurmd.pid",
    "JobAcctGatherType=jobacct_gather/none",
    `NodeName=${names.join(",")} CPUs=2 State=UNKNOWN`,
    "PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES",
    "",
  ].join("\n");

/** A Slurm of test hosts, each a node; the first has the controller, and is where users log in. */
export class SlurmCluster implements AsyncDisposable {
  readonly hosts: TestHosts;

  private constructor(hosts: TestHosts) {
    this.hosts = hosts;
  }

  /** Resolves when all nodes take tasks. Shells run prologues: of each task, and of slurmd for a job on its node. */
  static async start(nodes: number, prologue: string, nodePrologue: string): Promise<SlurmCluster> {
    const cluster = new SlurmCluster(await TestHosts.start(nodes));
    const { folder, names } = cluster.hosts;
    writeFileSync(join(folder, "munge.key"), randomBytes(1024), { mode: 0o400 });
    writeFileSync(join(folder, "slurm.conf"), configuration(cluster.hosts));
    for (const [name, text] of [
      [PROLOGUE, prologue],
      [NODE_PROLOGUE, nodePrologue],
    ] as const)
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const files = ["pid", "log", "seed"].map((each) => `--${each}-file=/run/munge.${each}`);
    const munge = ["--foreground", "--force", `--socket=${MUNGE_SOCKET}`, `--key-file=${folder}/munge.key`, ...files];
    for (const name of names) cluster.#keep(name, ["munged", ...munge]);
    cluster.#keep(names[0] as string, ["slurmctld", "-D"]);
    await cluster.#startNodes();
    return cluster;
  }

  /** Ends slurmd on all nodes and starts it anew, with these variables in its environment. */
  async restartNodes(environment: NodeJS.ProcessEnv): Promise<void> {
    for (const name of this.hosts.names) {
      await this.hosts.run(name, ["pkill", "-x", "slurmd"]);
      while ((await this.hosts.run(name, ["pgrep", "-x", "slurmd"])).status === 0) await setTimeout(TRY_MS);
    }
    await this.#startNodes(environment);
  }

  /** Runs a command where users log in. */
  run(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.hosts.run(this.hosts.names[0] as string, words, { ...this.#environment, ...environment });
  }

  get #environment(): NodeJS.ProcessEnv {
    return { SLURM_CONF: join(this.hosts.folder, "slurm.conf") };
  }

  /** A daemon, which ends with its host. */
  #keep(name: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
    void this.hosts.run(name, words, { ...this.#environment, ...environment }, 0);
  }

  /** Resolves when all nodes take tasks. */
  async #startNodes(environment: NodeJS.ProcessEnv = {}): Promise<void> {
    for (const name of this.hosts.names) this.#keep(name, ["slurmd", "-D", "-N", name], environment);
    await this.#isIdle();
  }

  async #isIdle(): Promise<void> {
    const expected = "idle\n".repeat(this.hosts.names.length);
    let last: Ended | undefined;
    for (let i = 0; i < MOST_TRIES; i++) {
      last = await this.run(["sinfo", "--Node", "--noheader", "--format=%t"]);
      if (last.stdout === expected) return;
      await setTimeout(TRY_MS);
    }
    throw new Error(`sinfo: expected ${JSON.stringify(expected)}, got ${JSON.stringify(last)}`);
  }

  /** Resolves when the hosts have gone, daemons and all. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.hosts[Symbol.asyncDispose]();
  }
}
