// What docs/guide/on-a-cluster.md tells a sysadmin to do, command by command, with a folder of the test's in place of
// /opt/stowage.
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

  test("stowage cache export, then the module file's variables alone: no Node, no service, nothing in the home folder", () => {
    succeed(["stowage", "cache", "export", site()], { ...home(), STOWAGE_INTERPOSER: join(folder, "lib") });
    const bare = {
      ...home(),
      HOME: join(folder, "another"),
      LD_PRELOAD: library(mpi),
      STOWAGE_CACHE: `${folder}/another/.cache/stowage/code:${site()}/code`,
      STOWAGE_VERBOSE: "1",
    };
    const { status, stdout, stderr } = call([...launcher, program(), ROUNDS, "0"], bare);
    expect([status, lines(stdout)]).toEqual([0, BOTH_RIGHT]);
    expect(stderr.match(ALL_OURS)).toHaveLength(2);
    expect(existsSync(join(folder, "another"))).toBe(false);
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

test("stowage cache prune --to", () => {
  expect(succeed(["stowage", "cache", "prune", "--to", "64MiB"])).toContain("0 files, 0 B removed");
});
