// The recipe for Spack, whose steps a stand-in for Spack runs: Debian and npm have none.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(realpathSync(tmpdir()), "stowage-spack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MPIS = ["openmpi", "mpich"].filter((mpi) => spawnSync(`mpicc.${mpi}`, ["--version"]).status === 0);

describe.each(MPIS)("with %s", { timeout: 300_000 }, (mpi) => {
  const prefix = join(folder, mpi, "prefix");

  test("the recipe installs the C library, what programs preload, and the script that preloads it", () => {
    const words = [path("spack/stand_in.py"), path("../../spack/packages/stowage/package.py"), path("../../../..")];
    const { status, stdout, stderr } = spawnSync("python3", [...words, prefix, `mpicc.${mpi}`], { encoding: "utf8" });
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^fact: depends_on mpi \+mpi$/m);
    expect(stdout.match(/^fact: npm .*$/gm)).toEqual([
      expect.stringMatching(/^fact: npm ci --cache \S+\/npm-cache$/),
      "fact: npm run build",
    ]);
    const libraries = readdirSync(join(prefix, "lib"));
    expect(libraries).toContain("libstowage.so.0");
    expect(libraries.filter((name) => name.startsWith(`libstowage-${mpi}-`))).toHaveLength(1);
    expect(existsSync(join(prefix, "include/stowage.h"))).toBe(true);
  });

  test("the script that it installs has a program's hooks", () => {
    const program = join(folder, mpi, "app");
    const source = path("../../../interposer/tests/long/ping-pong.c");
    expect(spawnSync(`mpicc.${mpi}`, ["-o", program, source], { encoding: "utf8" }).stderr).toBe("");
    const launcher = mpi === "openmpi" ? ["mpirun.openmpi", "--oversubscribe"] : ["mpiexec.mpich"];
    const [command = "", ...rest] = [...launcher, "-n", "2", join(prefix, "bin/stowage-exec"), program, "10", "0"];
    const env = {
      ...process.env,
      STOWAGE_VERBOSE: "1",
      OMPI_ALLOW_RUN_AS_ROOT: "1",
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
    };
    const { status, stderr } = spawnSync(command, rest, { env, encoding: "utf8" });
    expect(status).toBe(0);
    expect(stderr.match(/rank [01]: 0 messages of 0 bytes by our code, 10 of \d+ bytes natively/g)).toHaveLength(2);
  });
});
