// What docs/guide/on-a-cluster.md says of Slurm, on clusters of one and of two hosts of this machine.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canHaveSlurm, SlurmCluster } from "../hosts/slurm-cluster.js";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const STOWAGE = path("../../packages/cli/bin/stowage.js");
const PROGRAMS = path("../../packages/interposer/tests");
/** What Debian's package of Lmod has shells read. */
const LMOD = "/etc/profile.d/lmod.sh";
const hasLmod = existsSync(LMOD);
const ROUNDS = "400";
const BOTH_RIGHT = ["rank 0 right", "rank 1 right"];
/** What a shell finds of its system. */
const FINDS = `"$(ls / | cksum | tr ' ' -),$(git --version | tr ' ' -),$(hostname)"`;
/** What a site has in a prologue, in the environment of the user's task; the task gets what it finds. */
const PROLOGUE = `echo export FOUND=${FINDS}`;
/** Its slurmd's own; beside it lies what it finds. */
const NODE_PROLOGUE = `echo ${FINDS} "\${LD_PRELOAD-none}" > "$(dirname "$0")/found-$(hostname)"`;
const NOTHING_PRELOADED: unknown = expect.stringMatching(/^\d+-\d+,git-version-.*,host\d none$/);
const SLURMD_HAS_LIBRARY = 'grep -q libstowage "/proc/$(pgrep -o -x slurmd)/maps" && echo slurmd has it';

/**
 * How srun starts ranks of each MPI, how many, and on how many nodes. On two nodes two ranks of MPICH 4.0.2 stay in
 * MPI_Finalize now and then, natively, as four do by its own launcher (hosts.test.ts).
 */
const CLUSTERS = [
  { mpi: "openmpi", plugin: "pmix", most: 4, nodes: 1 },
  { mpi: "openmpi", plugin: "pmix", most: 4, nodes: 2 },
  { mpi: "mpich", plugin: "pmi2", most: 2, nodes: 1 },
].filter(({ mpi }) => spawnSync(`mpicc.${mpi}`, ["--version"]).status === 0);

describe.runIf(canHaveSlurm).each(CLUSTERS)(
  "$mpi by srun, nodes: $nodes",
  { timeout: 300_000 },
  ({ mpi, plugin, most, nodes }) => {
    let cluster: SlurmCluster;
    /** A node has two processors here, and may have more tasks. */
    const srun = (tasks: number): readonly string[] => [
      ...["srun", `--mpi=${plugin}`, "--overcommit", "-N", String(nodes), "-n", String(tasks)],
    ];
    const folder = (): string => cluster.hosts.folder;
    const program = (): string => join(folder(), "app");
    const soak = (): string => join(folder(), "soak");

    beforeAll(async () => {
      cluster = await SlurmCluster.start(nodes, PROLOGUE, NODE_PROLOGUE);
      writeFileSync(join(folder(), "stowage"), `#!/bin/sh\nexec ${process.execPath} ${STOWAGE} "$@"\n`, {
        mode: 0o755,
      });
      for (const [source, made] of [
        ["long/ping-pong.c", program()],
        ["programs/soak.c", soak()],
      ] as const) {
        const words = ["-std=gnu11", "-O1", "-o", made, join(PROGRAMS, source)];
        expect(spawnSync(`mpicc.${mpi}`, words, { encoding: "utf8" }).stderr).toBe("");
      }
    }, 60_000);
    afterAll(() => cluster[Symbol.asyncDispose]());

    async function run(words: readonly string[], variables: NodeJS.ProcessEnv = {}) {
      const environment = {
        PATH: `${folder()}:${process.env["PATH"]}`,
        STOWAGE_MPICC: `mpicc.${mpi}`,
        ...variables,
      };
      const { status, stdout, stderr } = await cluster.run(words, environment);
      return { status, lines: stdout.trim().split("\n").toSorted(), errors: stderr };
    }

    /** By two tasks, each after its own prologue, and by slurmd on each node before the job's first. */
    async function found() {
      const files = cluster.hosts.names.map((name) => join(folder(), `found-${name}`));
      for (const file of files) rmSync(file, { force: true });
      const tasks = await run([...srun(2), "sh", "-c", 'echo "$FOUND ${LD_PRELOAD-none}"']);
      return { tasks, byNodes: files.map((file) => readFileSync(file, "utf8")) };
    }

    test("each task is a `stowage run` of its own, on its node", async () => {
      const words = [...srun(2), "stowage", "run", "--verify", "--", program(), ROUNDS, "0"];
      const { status, lines, errors } = await run(words);
      expect([status, lines]).toEqual([0, BOTH_RIGHT]);
      expect(errors.match(/rank [01]: \d+ ranges compared, 0 differences/g)).toHaveLength(2);
      const where = await run([...srun(2), "hostname"]);
      expect(new Set(where.lines)).toEqual(new Set(cluster.hosts.names));
    });

    test("`stowage run -- srun`: the tasks get the variables, their exit status is ours", async () => {
      const words = ["stowage", "run", "--verbose", "--", ...srun(2), program(), ROUNDS, "7"];
      const { status, lines, errors } = await run(words);
      expect([status, lines]).toEqual([7, BOTH_RIGHT]);
      expect(errors.match(/rank [01]: 400 messages of \d+ bytes by our code, 0 of 0 bytes natively/g)).toHaveLength(2);
    });

    test("--export=NONE keeps the variables from the tasks, and naming them gives them back", async () => {
      const under = (names: string) =>
        run(["stowage", "run", "--verbose", "--", ...srun(2), `--export=${names}`, program(), ROUNDS, "0"]);
      const none = await under("NONE");
      expect([none.status, none.lines, none.errors]).toEqual([0, BOTH_RIGHT, ""]);
      const named = await under("PATH,LD_PRELOAD,STOWAGE_LIBRARIES,STOWAGE_CACHE,STOWAGE_SERVICE,STOWAGE_VERBOSE");
      expect([named.status, named.lines]).toEqual([0, BOTH_RIGHT]);
      expect(named.errors).toContain("by our code");
    });

    test.runIf(hasLmod)(
      "a site's module, --export=ALL,LD_PRELOAD: a task's prologue finds what it does without",
      async () => {
        expect((await run(["stowage", "cache", "export", join(folder(), "site")])).status).toBe(0);
        const file = join(folder(), "modules/stowage.lua");
        mkdirSync(join(folder(), "modules"));
        expect((await run(["stowage", "module", join(folder(), "site"), "--out", file])).status).toBe(0);
        const loaded = (words: readonly string[]) =>
          run(["bash", "-ec", `. ${LMOD}; module use ${folder()}/modules; module load stowage; ${words.join(" ")}`], {
            STOWAGE_VERBOSE: "1",
          });
        const ours = [...srun(2), "--export=ALL,LD_PRELOAD=$STOWAGE_PRELOAD"];
        const { status, lines, errors } = await loaded([...ours, program(), ROUNDS, "0"]);
        expect([status, lines]).toEqual([0, BOTH_RIGHT]);
        expect(errors.match(/rank [01]: 400 messages of \d+ bytes by our code, 0 of 0 bytes natively/g)).toHaveLength(
          2,
        );
        const found = await run([...srun(2), "printenv", "FOUND"]);
        const each = /^\d+-\d+,git-version-.*,host\d$/;
        const expected = [expect.stringMatching(each), expect.stringMatching(each)];
        expect(found).toEqual({ status: 0, lines: expected, errors: "" });
        expect(await loaded([...ours, "printenv", "FOUND"])).toEqual(found);
      },
    );

    test("under a slurmd that has the library preloaded, prologues and tasks find what they do without", async () => {
      const before = await found();
      expect(before.tasks).toMatchObject({ status: 0, lines: [NOTHING_PRELOADED, NOTHING_PRELOADED], errors: "" });
      const { lines } = await run(["stowage", "run", "--", "env"]);
      const variables = lines.filter((line) => /^(LD_PRELOAD|STOWAGE_\w+)=/.test(line)).map((line) => line.split("="));
      expect(variables.map(([name]) => name)).toContain("LD_PRELOAD");
      await cluster.restartNodes(Object.fromEntries(variables) as NodeJS.ProcessEnv);
      for (const name of cluster.hosts.names)
        expect((await cluster.hosts.run(name, ["sh", "-c", SLURMD_HAS_LIBRARY])).stdout).toBe("slurmd has it\n");
      expect(await found()).toEqual(before);
    });

    test("random messages of all tasks: every byte as natively", async () => {
      const messages = [soak(), "2000", "50", "33"];
      const native = await run([...srun(most), ...messages]);
      expect(native).toMatchObject({ status: 0, lines: [expect.stringMatching(/^\d+ messages [0-9a-f]{16}$/)] });
      const { status, lines, errors } = await run(["stowage", "run", "--verify", "--", ...srun(most), ...messages]);
      expect([status, lines]).toEqual([0, native.lines]);
      expect(errors.match(/rank \d: \d+ ranges compared, 0 differences/g)).toHaveLength(most);
    });
  },
);
