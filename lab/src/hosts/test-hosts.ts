// Hosts on this machine, for what must hold between hosts: each has its own network, name, processes, shared memory
// and temporary files, and an SSH server; a bridge joins them, and a token bucket makes their links as slow as asked.
// They share the machine's file systems, as a cluster's hosts share /home. What they cannot show: latency (this kernel
// has no netem), a network's own hardware, other processors, clocks that differ.
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** A host's first process, in namespaces of its own, which end with it: sh -c FIRST sh FOLDER NAME. */
const FIRST = `set -e
folder=$1 name=$2
hostname "$name"
mount -t proc proc /proc
# Which machine this is, for UCX; shared memory, sockets and files of sessions are those of one machine.
mount --bind "$folder/$name/boot_id" /proc/sys/kernel/random/boot_id
mount --bind "$folder/etc-hosts" /etc/hosts
for each in /dev/shm /tmp /run; do mount -t tmpfs -o mode=1777 tmpfs "$each"; done
mkdir -m 755 /run/sshd
ip link set lo up
exec /usr/sbin/sshd -D -e -f "$folder/sshd_config"`;
/** Private addresses, RFC 1918. */
const NETWORK = "10.77.0";
const UNSHARED = ["--net", "--uts", "--ipc", "--pid", "--mount", "--fork", "--kill-child"];
const LOOK_MS = 20;
const UP_WITHIN_MS = 20_000;

/** Whether hosts can be made: root, who may make namespaces, and an SSH server. */
export const canHaveHosts =
  process.geteuid?.() === 0 &&
  existsSync("/usr/sbin/sshd") &&
  spawnSync("unshare", [...UNSHARED, "ip", "link", "add", "name", "b", "type", "bridge"]).status === 0;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HostsOptions {
  /** What a link takes at most in a second, each way; by itself as much as the kernel does. */
  readonly megabits?: number;
  /** Whether each host has a processor for itself; by itself all have all. */
  readonly areApart?: boolean;
}

interface Host {
  readonly name: string;
  /** The process that unshare(1) made, and that one's child: the host's first process. */
  readonly holder: ChildProcess;
  readonly pid: number;
}

export class TestHosts implements AsyncDisposable {
  /** A folder that all hosts see, which goes with them. */
  readonly folder: string;
  readonly names: readonly string[];
  /** A program that is `ssh` between hosts, without questions: what launchers start their ranks by. */
  readonly ssh: string;
  readonly #switch: ChildProcess;
  readonly #hosts: readonly Host[];
  readonly #areApart: boolean;

  private constructor(folder: string, between: ChildProcess, hosts: readonly Host[], areApart: boolean) {
    this.folder = folder;
    this.names = hosts.map(({ name }) => name);
    this.ssh = join(folder, "ssh");
    this.#switch = between;
    this.#hosts = hosts;
    this.#areApart = areApart;
  }

  /** So many hosts, `host1` and on. */
  static async start(count: number, { megabits = Infinity, areApart = false }: HostsOptions = {}): Promise<TestHosts> {
    if (areApart && count > cpus().length)
      throw new Error(`hosts: expected at most one a processor, ${cpus().length}, got ${count}`);
    const folder = mkdtempSync("/var/tmp/stowage-hosts-");
    const names = Array.from({ length: count }, (_, i) => `host${i + 1}`);
    writeSettings(folder, names);
    const between = spawn("unshare", ["--net", "--fork", "--kill-child", "sleep", "infinity"], { stdio: "ignore" });
    const switchPid = await childOf(between);
    inNetworkOf(switchPid, "ip link add name bridge0 type bridge && ip link set bridge0 up");
    const hosts: Host[] = [];
    for (const [i, name] of names.entries()) {
      const [program = "", ...words] = [...(areApart ? onProcessor(i) : []), "unshare", ...UNSHARED];
      const holder = spawn(program, [...words, "sh", "-c", FIRST, "sh", folder, name], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      const pid = await childOf(holder);
      connect(switchPid, pid, name, i + 1, megabits);
      hosts.push({ name, holder, pid });
    }
    const made = new TestHosts(folder, between, hosts, areApart);
    await made.#areUp();
    return made;
  }

  /** Runs a command on a host, as its user would who has logged in there. What takes longer is killed: null. */
  run(name: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}, timeout = 120_000): Promise<Ended> {
    const { pid } = this.#host(name);
    const { PATH, LD_LIBRARY_PATH } = process.env;
    const env = { PATH, LD_LIBRARY_PATH, HOME: join(this.folder, "home"), USER: "root", ...environment };
    const enter = ["nsenter", "-t", String(pid), "--all", "--root", `--wd=${this.folder}`, ...words];
    const [program = "", ...rest] = [...(this.#areApart ? onProcessor(this.names.indexOf(name)) : []), ...enter];
    return new Promise((resolve) => {
      const options = { env, timeout, killSignal: "SIGKILL", maxBuffer: 2 ** 28 } as const;
      const child = execFile(program, rest, options, (_, stdout, stderr) =>
        resolve({ status: child.exitCode, stdout, stderr }),
      );
    });
  }

  /** Takes a host's link down, or up again. */
  link(name: string, state: "up" | "down"): void {
    inNetworkOf(this.#host(name).pid, `ip link set eth0 ${state}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { holder } of this.#hosts) holder.kill("SIGKILL");
    this.#switch.kill("SIGKILL");
    for (const { pid } of this.#hosts) while (existsSync(`/proc/${pid}`)) await setTimeout(LOOK_MS);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #host(name: string): Host {
    const found = this.#hosts.find((host) => host.name === name);
    if (found === undefined) throw new Error(`host: expected one of ${this.names.join(", ")}, got ${name}`);
    return found;
  }

  async #areUp(): Promise<void> {
    const [first = ""] = this.names;
    const until = Date.now() + UP_WITHIN_MS;
    for (const name of this.names) {
      let last: Ended;
      while ((last = await this.run(first, [this.ssh, name, "hostname"])).stdout.trim() !== name) {
        if (Date.now() > until) throw new Error(`${name}: expected an answer by SSH from ${first}, got ${last.stderr}`);
        await setTimeout(LOOK_MS);
      }
    }
  }
}

function writeSettings(folder: string, names: readonly string[]): void {
  for (const key of ["key", "host-key"])
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, key)]);
  mkdirSync(join(folder, "home"), { mode: 0o700 });
  const addresses = names.map((name, i) => `${NETWORK}.${i + 1} ${name}`);
  writeFileSync(join(folder, "etc-hosts"), ["127.0.0.1 localhost", ...addresses, ""].join("\n"));
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "boot_id"), `${randomUUID()}\n`);
  }
  const server = {
    HostKey: join(folder, "host-key"),
    AuthorizedKeysFile: join(folder, "key.pub"),
    PermitRootLogin: "yes",
    PasswordAuthentication: "no",
    StrictModes: "no",
    UsePAM: "no",
    PidFile: "none",
    LogLevel: "ERROR",
    MaxStartups: "100",
  };
  const client = {
    IdentityFile: join(folder, "key"),
    StrictHostKeyChecking: "no",
    UserKnownHostsFile: "/dev/null",
    LogLevel: "ERROR",
    ConnectTimeout: "5",
  };
  writeFileSync(join(folder, "sshd_config"), settings(server));
  writeFileSync(join(folder, "ssh_config"), settings(client));
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\nexec ssh -F ${join(folder, "ssh_config")} "$@"\n`, { mode: 0o755 });
}

const settings = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name} ${value}\n`)
    .join("");

const onProcessor = (i: number): readonly string[] => ["taskset", "-c", String(i)];

/** A pair of virtual links: one end is the host's, the other the bridge's. */
function connect(switchPid: number, pid: number, name: string, number: number, megabits: number): void {
  shell(`ip link add name ${name} netns ${switchPid} type veth peer name eth0 netns ${pid}`);
  const shaped = (end: string): string =>
    megabits === Infinity ? "true" : `tc qdisc add dev ${end} root tbf rate ${megabits}mbit burst 128kb latency 100ms`;
  inNetworkOf(switchPid, `ip link set ${name} master bridge0 && ip link set ${name} up && ${shaped(name)}`);
  inNetworkOf(pid, `ip addr add ${NETWORK}.${number}/24 dev eth0 && ip link set eth0 up && ${shaped("eth0")}`);
}

const inNetworkOf = (pid: number, script: string): void => shell(`nsenter -t ${pid} --net sh -ec '${script}'`);

function shell(script: string): void {
  const { status, stderr } = spawnSync("sh", ["-ec", script], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${script}: expected to end with 0, got ${status}: ${stderr}`);
}

/** The process that unshare(1) forked, when it has. */
async function childOf({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
    if (child > 0) return child;
    await setTimeout(LOOK_MS);
  }
}
