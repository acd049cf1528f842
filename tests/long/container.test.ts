// A program in a rootless container whose MPI is the host's, as docs/guide/on-a-cluster.md says: a system of a few
// Debian packages, without compilers, Node or an MPI, into which the host's libraries are bound. An unprivileged user
// starts it, by bubblewrap, in a user namespace in which files of the host's root belong to nobody. The launcher, the
// service and the cache are outside.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const STOWAGE = [process.execPath, path("../../packages/cli/bin/stowage.js")];
const SOURCE = path("../../packages/interposer/tests/long/ping-pong.c");
/** What a system is that runs a program and no more. */
const PACKAGES = ["base-files", "libc6", "dash", "libgcc-s1"];
const USER = "1000";
const AS_USER = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"];
const LIBRARIES = "/usr/lib/x86_64-linux-gnu";
const ROUNDS = "400";
const BOTH_RIGHT = ["rank 0 right", "rank 1 right"];

/** A system that lets users have namespaces, and as root, who may become another user. */
const canContain =
  process.geteuid?.() === 0 &&
  spawnSync("bwrap", ["--version"]).status === 0 &&
  spawnSync("setpriv", [...AS_USER.slice(1), "bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]).status === 0;

/**
 * How an MPI starts two ranks, and what of it is not among the libraries. Ranks are in user namespaces of their own,
 * between which the kernel copies no memory.
 */
const MPIS = [
  {
    mpi: "openmpi",
    launcher: ["mpirun.openmpi", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none", "-n", "2"],
    folders: ["/usr/share/openmpi", "/etc/openmpi"],
    variables: [],
  },
  {
    mpi: "mpich",
    launcher: ["mpiexec.mpich", "-n", "2"],
    // UCX looks for networks and processors.
    folders: ["/sys"],
    // By the name of another rank's descriptor, which lies in /proc, one of another user namespace opens no memory.
    variables: ["--setenv", "UCX_POSIX_USE_PROC_LINK", "n"],
  },
].filter(({ mpi }) => spawnSync(`mpicc.${mpi}`, ["--version"]).status === 0);

let folder = "";
const system = (): string => join(folder, "system");

beforeAll(() => {
  folder = mkdtempSync("/var/tmp/stowage-container-");
  chmodSync(folder, 0o755);
  for (const name of ["packages", "system", "home"]) mkdirSync(join(folder, name));
  const fetched = spawnSync("apt-get", ["download", ...PACKAGES], { cwd: join(folder, "packages"), encoding: "utf8" });
  expect([fetched.status, fetched.status === 0 ? "" : fetched.stderr]).toEqual([0, ""]);
  for (const name of readdirSync(join(folder, "packages")))
    expect(spawnSync("dpkg-deb", ["-x", join(folder, "packages", name), system()]).status).toBe(0);
  expect(spawnSync("chown", ["-R", `${USER}:${USER}`, folder]).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(canContain).each(MPIS)("$mpi", { timeout: 300_000 }, ({ mpi, launcher, folders, variables }) => {
  const program = (): string => join(folder, `app-${mpi}`);
  /** Shared memory and sessions are the host's, and the user's folder is at the same place. */
  const contained = (): readonly string[] => [
    ...["bwrap", "--unshare-user", "--unshare-uts", "--hostname", "container"],
    ...["--bind", system(), "/", "--proc", "/proc", "--dev-bind", "/dev", "/dev", "--bind", "/tmp", "/tmp"],
    ...[LIBRARIES, ...folders].flatMap((each) => ["--ro-bind", each, each]),
    ...["--bind", folder, folder, ...variables],
  ];

  beforeAll(() => {
    expect(spawnSync(`mpicc.${mpi}`, ["-o", program(), SOURCE], { encoding: "utf8" }).stderr).toBe("");
    chownSync(program(), Number(USER), Number(USER));
  });

  function run(words: readonly string[]): { status: number | null; lines: readonly string[]; errors: string } {
    const [command = "", ...rest] = [...AS_USER, ...words];
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: join(folder, "home"),
      STOWAGE_MPICC: `mpicc.${mpi}`,
    };
    const { status, stdout, stderr } = spawnSync(command, rest, { env, cwd: folder, encoding: "utf8" });
    return { status, lines: stdout.trim().split("\n").toSorted(), errors: stderr };
  }

  test("the system of the container is another, without Node and compilers", () => {
    const { status, lines } = run([...contained(), "/bin/sh", "-c", "command -v node cc mpicc; echo none"]);
    expect([status, lines]).toEqual([0, ["none"]]);
  });

  test("every message in it is by our code, and every byte is what the MPI gives", () => {
    const words = [...launcher, ...contained(), program(), ROUNDS, "0"];
    const native = run(words);
    expect([native.status, native.lines]).toEqual([0, BOTH_RIGHT]);
    run([...STOWAGE, "run", "--", ...words]);
    const { status, lines, errors } = run([...STOWAGE, "run", "--verify", "--verbose", "--", ...words]);
    expect([status, lines]).toEqual([0, BOTH_RIGHT]);
    expect(errors.match(/rank [01]: 400 messages of \d+ bytes by our code, 0 of 0 bytes natively/g)).toHaveLength(2);
    expect(errors.match(/rank [01]: 400 ranges compared, 0 differences/g)).toHaveLength(2);
  });
});
