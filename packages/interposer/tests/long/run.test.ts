import { spawnSync } from "node:child_process";
import { copyFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildLibrary, mergeRecordings, readRecordings } from "../../src/index.js";

const STOWAGE = fileURLToPath(new URL("../../../cli/bin/stowage.js", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./ping-pong.c", import.meta.url));
const ROUNDS = 400;
const COLUMN_BYTES = 512;
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

const MPIS = [
  { mpi: "Open MPI", mpicc: "mpicc.openmpi", launcher: ["mpirun.openmpi", "--oversubscribe", "-n", "2"] },
  { mpi: "MPICH", mpicc: "mpicc.mpich", launcher: ["mpiexec.mpich", "-n", "2"] },
];

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "stowage-run-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  STOWAGE_INTERPOSER: join(folder, "lib"),
  STOWAGE_CACHE: join(folder, "code"),
  XDG_RUNTIME_DIR: folder,
  OMPI_ALLOW_RUN_AS_ROOT: "1",
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
});

const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [STOWAGE, "run", ...args], { env: { ...environment(), ...more }, encoding: "utf8" });

describe.each(MPIS)("under $mpi's launcher", ({ mpicc, launcher }) => {
  const hasMpi = spawnSync(mpicc, ["--version"]).status === 0;
  const program = (): string => join(folder, `ping-pong-${mpicc}`);
  const library = async (): Promise<string> => (await buildLibrary(mpicc, join(folder, "lib"))).path;
  beforeAll(() => {
    if (hasMpi) expect(spawnSync(mpicc, ["-o", program(), PROGRAM], { encoding: "utf8" }).stderr).toBe("");
  });

  test.runIf(hasMpi)("an unmodified program packs by our code, the same bytes; its exit status is ours", () => {
    const record = join(folder, `record-${mpicc}`);
    const command = [...launcher, program(), String(ROUNDS), "7"];
    const { status, stdout, stderr } = run(["--verify", "--verbose", "--record", record, "--", ...command]);
    expect(stdout.trim().split("\n").toSorted()).toEqual(["rank 0 right", "rank 1 right"]);
    expect(status).toBe(7);
    expect(stderr).toContain("the self-test passed");
    const { ranks, types } = mergeRecordings(readRecordings(record));
    expect(ranks).toBe(2);
    expect(types).toHaveLength(1);
    expect(types[0]).toMatchObject({ commits: 2, ranksWithCode: 2 });
    expect(types[0]?.pack).toMatchObject({ messages: ROUNDS, bytes: ROUNDS * COLUMN_BYTES });
    const { pack, unpack } = types[0] as (typeof types)[0];
    expect(pack.ourBytes).toBeGreaterThan(0);
    for (const { packNs, ourPackNs, callNs, ourMessages } of [pack, unpack]) {
      expect(ourPackNs).toBeLessThanOrEqual(packNs);
      expect(callNs).toBeGreaterThan(0);
      // What the MPI packed before the code came was timed as well.
      expect(packNs > ourPackNs).toBe(ourMessages < ROUNDS);
    }
    const report = spawnSync(process.execPath, [STOWAGE, "report", record], { env: environment(), encoding: "utf8" });
    expect(report.stdout).toMatch(/packing, recorded \| in MPI calls \| by the MPI \|.* gain, predicted/);
    // One type: commits, messages, mean size, share, packing, calls, the MPI's, ours, gain.
    expect(report.stdout).toMatch(
      /^\| 1 \| 2 \| 800 \| 512 B \| \d+ % \| [\d.]+ \w+ \| [\d.]+ \w+ \| [\d.]+ \w+, \w+ \|/m,
    );
  });

  test.runIf(hasMpi)(
    "a line without --verbose says where no message of a side was ours, and there is none else",
    () => {
      const command = [program(), String(ROUNDS), "0"];
      const withoutCode = ["env", "-u", "STOWAGE_SERVICE", "STOWAGE_CACHE=", ...command];
      const why = "no code for their datatypes was there in time; the next run has what can be made (--verbose tells)";
      const told = (words: readonly string[]): readonly string[] => {
        const { stderr } = run(["--", ...launcher, ...words]);
        return stderr.split("\n").filter((line) => line.startsWith("stowage:"));
      };
      expect(told(withoutCode)).toEqual([`stowage: no message went by our code: ${why}`]);
      expect(told(command)).toEqual([]);
      // Messages that no one packs.
      expect(told([program(), "0", "0"])).toEqual([]);
    },
  );

  test.runIf(hasMpi)("the library is built once; a program without MPI loads it, and nothing is said", async () => {
    const path = await library();
    expect(await buildLibrary(mpicc, join(folder, "lib"))).toMatchObject({ path, isCached: true });
    for (const more of [{}, { LD_BIND_NOW: "1" }]) {
      const env = { ...environment(), ...more, LD_PRELOAD: path, STOWAGE_VERBOSE: "1" };
      expect(spawnSync("echo", ["out"], { env, encoding: "utf8" })).toMatchObject({
        status: 0,
        stdout: "out\n",
        stderr: "",
      });
    }
  });

  test.runIf(hasMpi && isRoot)(
    "a setuid program is left alone: it is not preloaded, and not a line is said",
    async () => {
      const setuid = join(folder, `true-${mpicc}`);
      copyFileSync("/usr/bin/id", setuid);
      chownSync(setuid, 0, 0);
      chmodSync(setuid, 0o4755);
      chmodSync(folder, 0o755);
      const env = { ...environment(), LD_PRELOAD: await library(), STOWAGE_VERBOSE: "1" };
      const { stdout, stderr } = spawnSync(setuid, ["-u"], { env, uid: NOBODY, gid: NOBODY, encoding: "utf8" });
      chmodSync(folder, 0o700);
      expect([stdout, stderr]).toEqual(["0\n", ""]);
    },
  );

  test.runIf(hasMpi && isRoot)("a library on a file system without exec is not preloaded; the command runs", () => {
    const inside = `mount -t tmpfs -o noexec,mode=0700 none ${folder}/lib && exec "$@"`;
    const command = [process.execPath, STOWAGE, "run", "--verbose", "--", ...launcher, program(), "5", "0"];
    const env = { ...environment(), STOWAGE_MPICC: mpicc };
    const { status, stdout, stderr } = spawnSync("unshare", ["-m", "sh", "-c", inside, "sh", ...command], {
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(
      /^stowage: .*expected a library that loads, got .*: running natively\nstowage: no message went by our code: .*loads, got .*\n$/,
    );
    expect([status, stdout.trim().split("\n").toSorted()]).toEqual([0, ["rank 0 right", "rank 1 right"]]);
  });

  test.runIf(hasMpi && isRoot)("a cache that cannot be written, under a service: natively, the command runs", () => {
    const inside = `mount -t tmpfs -o mode=0700 none ${folder}/code && mount -o remount,ro ${folder}/code && exec "$@"`;
    const command = [process.execPath, STOWAGE, "run", "--verbose", "--", ...launcher, program(), "4000", "0"]; // the service starts meanwhile
    mkdirSync(join(folder, "code"), { recursive: true, mode: 0o700 });
    const env = { ...environment(), STOWAGE_MPICC: mpicc };
    const { status, stdout, stderr } = spawnSync("unshare", ["-m", "sh", "-c", inside, "sh", ...command], {
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/stowage: a datatype of \d+ bytes stays native: EROFS/);
    expect(stderr).toMatch(/rank 1: 0 messages of 0 bytes by our code, 4000 of 2048000 bytes natively/);
    expect([status, stdout.trim().split("\n").toSorted()]).toEqual([0, ["rank 0 right", "rank 1 right"]]);
  });
});

test.runIf(spawnSync("mpirun.openmpi", ["--version"]).status === 0)(
  "Open MPI's own list of variables and ours go together",
  () => {
    const command = ["mpirun.openmpi", "-n", "1", "sh", "-c", 'echo "$OWN ${LD_PRELOAD:+preloaded}"'];
    const { status, stdout } = run(["--", ...command], { OMPI_MCA_mca_base_env_list: "OWN=1" });
    expect([status, stdout]).toEqual([0, "1 preloaded\n"]);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  },
);

test.runIf(MPIS.every(({ mpicc }) => spawnSync(mpicc, ["--version"]).status === 0))(
  "a script that uses two MPIs is served under both",
  () => {
    const lines = MPIS.map(({ mpicc, launcher }) => {
      const program = join(folder, `script-${mpicc}`);
      expect(spawnSync(mpicc, ["-o", program, PROGRAM], { encoding: "utf8" }).stderr).toBe("");
      return [...launcher, program, String(ROUNDS), "0"].join(" ");
    });
    const { status, stdout, stderr } = run(["--verbose", "--", "sh", "-ec", lines.join("\n")]);
    expect([status, stdout.match(/rank \d right/g)?.length]).toEqual([0, 4]);
    expect(stderr).toContain("packing inside Open MPI's convertors: the self-test passed");
    expect(stderr).toContain("packing inside MPICH's UCX datatypes: the self-test passed");
  },
);
