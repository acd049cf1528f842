// What docs/guide/on-a-cluster.md tells a sysadmin to do, command by command, with a folder of the test's in place of
// /opt/stowage.
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url));
const SOURCE = fileURLToPath(new URL("./ping-pong.c", import.meta.url));
const ROUNDS = "400";

const MPIS = [
  { mpi: "openmpi", launcher: ["mpirun.openmpi", "--oversubscribe", "-n", "2"] },
  { mpi: "mpich", launcher: ["mpiexec.mpich", "-n", "2"] },
].filter(({ mpi }) => spawnSync(`mpicc.${mpi}`, ["--version"]).status === 0);

let folder = "";
const site = (): string => join(folder, "site");

/** What a user has: `stowage` on PATH, a home folder, nothing of ours set. */
const home = (): NodeJS.ProcessEnv => ({
  HOME: folder,
  PATH: `${folder}/bin:${process.env["PATH"]}`,
  XDG_RUNTIME_DIR: folder,
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-site-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/stowage"), `#!/bin/sh\nexec ${process.execPath} ${STOWAGE} "$@"\n`, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (words: readonly string[], env = home()): SpawnSyncReturns<string> =>
  spawnSync(words[0] as string, words.slice(1), { env, encoding: "utf8" });

function succeed(words: readonly string[], env = home()): string {
  const { status, stdout, stderr } = call(words, env);
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  return stdout;
}

const library = (mpi: string): string => {
  const names = readdirSync(join(site(), "lib")).filter((name) => name.startsWith(`libstowage-${mpi}-`));
  expect(names).toHaveLength(1);
  return join(site(), "lib", names[0] as string);
};

/** What Debian's package of Lmod has shells read. */
const LMOD = "/etc/profile.d/lmod.sh";
const hasLmod = existsSync(LMOD);

/** A user who has nothing of ours, and no Node on PATH. */
const another = (variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...home(),
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: join(folder, "another"),
  ...variables,
});

const BOTH_RIGHT = ["rank 0 right", "rank 1 right"];
const lines = (output: string): readonly string[] => output.trim().split("\n").toSorted();
/** Every message by our code, of each of two ranks. */
const ALL_OURS = new RegExp(`rank [01]: ${ROUNDS} messages of \\d+ bytes by our code, 0 of 0 bytes natively`, "g");

describe.each(MPIS)("$mpi", { timeout: 180_000 }, ({ mpi, launcher }) => {
  const program = (): string => join(folder, `app-${mpi}`);
  beforeAll(() => void succeed([`mpicc.${mpi}`, "-o", program(), SOURCE]));

  test("stowage interposer build --out, then a run, and cache ls", () => {
    const env = { ...home(), STOWAGE_INTERPOSER: join(folder, "lib") };
    const built = succeed(
      ["stowage", "interposer", "build", "--mpicc", `mpicc.${mpi}`, "--out", join(folder, "lib")],
      env,
    );
    for (const path of built.trim().split("\n")) expect(existsSync(path)).toBe(true);
    expect(lines(succeed(["stowage", "run", "--", ...launcher, program(), ROUNDS, "0"], env))).toEqual(BOTH_RIGHT);
    expect(succeed(["stowage", "cache", "ls"])).toContain('"vector"');
  });

  test("a recording warms another user's cache, which is exported: no Node, no service, nothing in the home folder", () => {
    const env = { ...home(), STOWAGE_INTERPOSER: join(folder, "lib") };
    const record = join(folder, `record-${mpi}`);
    succeed(["stowage", "run", "--record", record, "--", ...launcher, program(), ROUNDS, "0"], env);
    const of = { ...env, STOWAGE_CACHE: join(folder, `warm-${mpi}`) };
    expect(succeed(["stowage", "cache", "warm", record], of)).toMatch(/: 1 files written, 0 there already\n$/);
    succeed(["stowage", "cache", "export", site()], of);
    const { status, stdout, stderr } = call(
      [...launcher, join(site(), "bin/stowage-exec"), program(), ROUNDS, "0"],
      another({ STOWAGE_VERBOSE: "1" }),
    );
    expect([status, lines(stdout)]).toEqual([0, BOTH_RIGHT]);
    expect(stderr.match(ALL_OURS)).toHaveLength(2);
    expect(existsSync(join(folder, "another"))).toBe(false);
  });

  test.runIf(hasLmod)("a module that Lmod loads names all that launchers need, and takes all of it back", () => {
    const modules = join(folder, "modules/stowage");
    mkdirSync(modules, { recursive: true });
    const file = join(modules, "0.1.0.lua");
    expect(succeed(["stowage", "module", site(), "--out", file])).toBe(`${file}\n`);
    const script = [
      `. ${LMOD}`,
      `module use ${join(folder, "modules")}`,
      "module load stowage",
      "which stowage-exec",
      "STOWAGE_VERBOSE=1 " + [...launcher, "stowage-exec", program(), ROUNDS, "0"].join(" "),
      `[ -z "$LD_PRELOAD" ]`,
      "module unload stowage",
      `[ -z "$STOWAGE_PRELOAD$STOWAGE_LIBRARIES$STOWAGE_CACHE" ]`,
      "! which stowage-exec",
    ];
    const { status, stdout, stderr } = call(["bash", "-ec", script.join("\n")], another());
    expect([status, lines(stdout)]).toEqual([0, [join(site(), "bin/stowage-exec"), ...BOTH_RIGHT]]);
    expect(stderr.match(ALL_OURS)).toHaveLength(2);
  });

  test("the launcher's own way to set a variable for the application alone", () => {
    const script = readFileSync(join(site(), "bin/stowage-exec"), "utf8");
    const name = /lib\/(libstowage-any-[^}]*\.so)/.exec(script)?.[1] ?? "";
    const named = {
      STOWAGE_LIBRARIES: `${mpi}=${library(mpi)}`,
      STOWAGE_CACHE: join(site(), "code"),
      STOWAGE_VERBOSE: "1",
    };
    const [first = "", ...rest] = launcher;
    const preload = join(site(), "lib", name);
    const set = mpi === "mpich" ? ["-env", "LD_PRELOAD", preload] : ["-x", `LD_PRELOAD=${preload}`];
    const { status, stderr } = call([first, ...set, ...rest, program(), ROUNDS, "0"], another(named));
    expect(status).toBe(0);
    expect(stderr.match(ALL_OURS)).toHaveLength(2);
  });

  test("linked with the library instead of preloaded", () => {
    const name = library(mpi).split("/").at(-1) as string;
    const linked = join(folder, `linked-${mpi}`);
    const flags = ["-o", linked, SOURCE, `-L${site()}/lib`, `-l:${name}`, `-Wl,-rpath,${site()}/lib`];
    succeed([`mpicc.${mpi}`, ...flags]);
    const env = { ...home(), STOWAGE_CACHE: `${site()}/code`, STOWAGE_VERBOSE: "1" };
    const { status, stderr } = call([...launcher, linked, ROUNDS, "0"], env);
    expect(status).toBe(0);
    expect(stderr.match(ALL_OURS)).toHaveLength(2);
  });

  test("each task is a `stowage run` of its own, as under srun: one service serves the node", () => {
    const env = { ...home(), STOWAGE_INTERPOSER: join(folder, "lib") };
    const words = [...launcher, "stowage", "run", "--verify", "--", program(), ROUNDS, "0"];
    const { status, stdout, stderr } = call(words, env);
    expect([status, lines(stdout)]).toEqual([0, BOTH_RIGHT]);
    expect(stderr.match(/rank [01]: \d+ ranges compared, 0 differences/g)).toHaveLength(2);
  });
});

test("programs without an MPI do the same under an exported preload", () => {
  const script = join(site(), "bin/stowage-exec");
  writeFileSync(join(folder, "prologue.sh"), 'echo "export JOB=1"; echo "print $(id -u) $(hostname)"; exit 3\n');
  const programs = [
    ["ls", "-la", "/usr/share"],
    ["git", "--version"],
    ["sh", join(folder, "prologue.sh")],
    ["python3", "-c", "import os, sys; print(sys.argv, os.getcwd())"],
    ["tar", "--version"],
  ];
  for (const words of programs) {
    const [native, ours] = [call(words), call([script, ...words])];
    expect([ours.status, ours.stdout, ours.stderr]).toEqual([native.status, native.stdout, native.stderr]);
  }
});

test("stowage cache prune --to", () => {
  expect(succeed(["stowage", "cache", "prune", "--to", "64MiB"])).toContain("0 files, 0 B removed");
});
