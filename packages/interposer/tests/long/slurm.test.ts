// What docs/guide/on-a-cluster.md says of Slurm, on a cluster of this machine alone.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasSlurm, OneNodeCluster } from "./one-node-cluster.js";

const STOWAGE = fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url));
const SOURCE = fileURLToPath(new URL("./ping-pong.c", import.meta.url));
const ROUNDS = "400";
const BOTH_RIGHT = ["rank 0 right", "rank 1 right"];

/** How srun starts ranks of each MPI. */
const MPIS = [
  { mpi: "openmpi", plugin: "pmix" },
  { mpi: "mpich", plugin: "pmi2" },
].filter(({ mpi }) => spawnSync(`mpicc.${mpi}`, ["--version"]).status === 0);

describe.runIf(hasSlurm).each(MPIS)("$mpi by srun", { timeout: 180_000 }, ({ mpi, plugin }) => {
  let folder = "";
  let cluster: OneNodeCluster | undefined;
  const srun = ["srun", `--mpi=${plugin}`, "-n", "2"];
  const program = (): string => join(folder, "app");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "stowage-slurm-"));
    writeFileSync(join(folder, "stowage"), `#!/bin/sh\nexec ${process.execPath} ${STOWAGE} "$@"\n`, { mode: 0o755 });
    expect(spawnSync(`mpicc.${mpi}`, ["-o", program(), SOURCE], { encoding: "utf8" }).stderr).toBe("");
    cluster = await OneNodeCluster.start(folder);
  }, 60_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(words: readonly string[]): { status: number | null; lines: readonly string[]; errors: string } {
    const env = {
      ...process.env,
      ...cluster?.environment,
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      STOWAGE_MPICC: `mpicc.${mpi}`,
    };
    const [command = "", ...args] = words;
    const { status, stdout, stderr } = spawnSync(command, args, { env, cwd: folder, encoding: "utf8" });
    return { status, lines: stdout.trim().split("\n").toSorted(), errors: stderr };
  }

  test("each task is a `stowage run` of its own", () => {
    const { status, lines, errors } = run([...srun, "stowage", "run", "--verify", "--", program(), ROUNDS, "0"]);
    expect([status, lines]).toEqual([0, BOTH_RIGHT]);
    expect(errors.match(/rank [01]: \d+ ranges compared, 0 differences/g)).toHaveLength(2);
  });

  test("`stowage run -- srun`: the tasks get the variables, their exit status is ours", () => {
    const { status, lines, errors } = run(["stowage", "run", "--verbose", "--", ...srun, program(), ROUNDS, "7"]);
    expect([status, lines]).toEqual([7, BOTH_RIGHT]);
    expect(errors.match(/rank [01]: 400 messages of \d+ bytes by our code, 0 of 0 bytes natively/g)).toHaveLength(2);
  });

  test("--export=NONE keeps the variables from the tasks, and naming them gives them back", () => {
    const under = (names: string) =>
      run(["stowage", "run", "--verbose", "--", ...srun, `--export=${names}`, program(), ROUNDS, "0"]);
    const none = under("NONE");
    expect([none.status, none.lines, none.errors]).toEqual([0, BOTH_RIGHT, ""]);
    const named = under("PATH,LD_PRELOAD,STOWAGE_CACHE,STOWAGE_SERVICE,STOWAGE_VERBOSE");
    expect([named.status, named.lines]).toEqual([0, BOTH_RIGHT]);
    expect(named.errors).toContain("by our code");
  });
});
