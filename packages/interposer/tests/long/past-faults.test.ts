import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sources } from "../../src/build/sources.js";
import { buildLibrary } from "../../src/index.js";
import { codeHasCome, compiled, INSTALLED, ran, within, type Surroundings } from "../programs/ranks.js";

const MOST_SECONDS = "20";
const ON = { variables: ["STOWAGE_HOST_ROUTE=65536"] };
const PAST = /rank 0: sent 1 messages of 480000 bytes past the MPI/;
const INBOX = ["inbox.c", "nameless-file.c"].map((name) =>
  fileURLToPath(new URL(`../../c/host/${name}`, import.meta.url)),
);
/** What runs launchers in a `/dev/shm` of their own, of options of mount, and says how they ended and what is left. */
const OWN_SHM = `mount -t tmpfs -o "$1" none /dev/shm && shift && timeout 60 "$@"; echo "ended by $?"; ls -A /dev/shm`;
const mayMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/dev/shm"]).status === 0;
/** Two users, of whom neither is anybody else. */
const USERS = [65_001, 65_002] as const;

/** A launcher's option by which a rank outlives others; MPICH's tells it by a signal. */
const OUTLIVE = { openmpi: "--enable-recovery", mpich: "-disable-auto-cleanup" };

/** The same MPI, whose launcher is run by such words. */
const launchedBy = (surroundings: Surroundings, ...words: string[]): Surroundings => ({
  ...surroundings,
  mpi: { ...surroundings.mpi, launch: [...words, ...surroundings.mpi.launch] },
});
const inOwnShm = (surroundings: Surroundings, options: string): Surroundings =>
  launchedBy(surroundings, "unshare", "--mount", "sh", "-c", OWN_SHM, "sh", options);

/** How many processes run a program. */
const processesOf = (program: string): number =>
  readdirSync("/proc").filter((name) => {
    try {
      return readlinkSync(`/proc/${name}/exe`) === program;
    } catch {
      return false;
    }
  }).length;

/** Messages of such a program go past the MPI, whose code is there then. */
async function goesPast(surroundings: Surroundings, ...words: string[]): Promise<void> {
  ran(surroundings, 2, words, ON);
  await codeHasCome(surroundings);
  expect(ran(surroundings, 2, words, ON).errors).toMatch(PAST);
}

describe.each(INSTALLED)("$name", (mpi) => {
  test("a process that ends in the middle of a message past the MPI is an error of its receive, and holds up no send", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "past-faults.c");
      await goesPast(surroundings, program);
      // Launchers of later releases end the other rank as well, whatever they are told, and need longer files.
      if (!(await buildLibrary(mpi.compiler)).mpi.version.startsWith("4.")) return;
      // A file may be as long as the MPI needs, and not as the memory that others pack into.
      const short = ran(surroundings, 2, ["prlimit", "--fsize=8000000", program], ON);
      expect(short.errors).not.toMatch(PAST);
      const lives = { ...surroundings, mpi: { ...mpi, launch: [...mpi.launch, OUTLIVE[mpi.family]] } };
      const go = (step: string) =>
        ran(lives, 2, ["sh", "-c", `trap '' USR1; timeout ${MOST_SECONDS} '${program}' ${step}; sleep 2`], ON);
      // Under MPICH the sender may end before the receiver has the offer: then nobody tells that of anything.
      if (mpi.family === "openmpi") {
        const packing = go("sender move");
        expect(packing.output).toBe("MPI_ERR_OTHER\n");
        expect(packing.errors).toMatch(
          /^stowage: a message of process \d+: expected 480000 bytes, got \d+ before it ended$/m,
        );
      }
      expect(go("receiver offer").output).toBe("30 sends have begun\n");
    }));

  test.skipIf(!mayMount)(
    "whichever side is killed at whichever step, the job ends, and leaves neither memory nor processes",
    () =>
      within(mpi, async (surroundings) => {
        const program = compiled(surroundings, "past-faults.c");
        for (const memory of [[], ["lying"]]) {
          await goesPast(surroundings, program, ...memory);
          for (const who of ["sender", "receiver"])
            for (const step of ["offer", "take", "move", "end"]) {
              const { output } = ran(inOwnShm(surroundings, "size=64m"), 2, [program, who, step, ...memory], ON);
              // By the launcher, since one was killed, or ended without MPI_Finalize, of which MPICH's may have seen
              // neither; 124 is too late; then what is left.
              const words = [who, step, ...memory];
              expect([...words, output.split("\n").at(-2)]).toEqual([
                ...words,
                expect.stringMatching(mpi.family === "mpich" ? /^ended by [09]$/ : /^ended by (1|137)$/),
              ]);
              expect([...words, processesOf(program)]).toEqual([...words, 0]);
            }
        }
      }),
  );

  // MPICH does not start there.
  test.skipIf(!mayMount || mpi.family === "mpich")(
    "where /dev/shm is full, messages arrive as they do without us",
    () =>
      within(mpi, async (surroundings) => {
        const program = compiled(surroundings, "past-faults.c");
        await goesPast(surroundings, program);
        const full = inOwnShm(surroundings, "size=4k");
        const native = ran(full, 2, [program]).output;
        // Open MPI 5.0 does not start there.
        if (!(await buildLibrary(mpi.compiler)).mpi.version.startsWith("5.")) expect(native).toBe("ended by 0\n");
        expect(ran(full, 2, [program], ON).output).toBe(native);
      }),
  );

  test("two jobs of one user keep apart", () =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "past.c");
      ran(surroundings, 3, [program], ON);
      await codeHasCome(surroundings);
      const twice = launchedBy(surroundings, "sh", "-c", `"$@" & "$@" && wait $!`, "sh");
      const both = ran(twice, 3, [program], ON);
      expect(both.output).toBe("45 checks, 0 wrong\n".repeat(2));
      expect(both.errors.match(/rank 2: sent 7 messages of 3360000 bytes past the MPI/g)).toHaveLength(2);
    }));

  test.skipIf(process.getuid?.() !== 0)("memory that messages go through is its user's alone", () =>
    within(mpi, async (surroundings) => {
      const includes = sources("packing").includes.map((each) => `-I${each}`);
      const program = compiled(surroundings, "past-inbox.c", [...includes, ...INBOX]);
      chmodSync(surroundings.folder, 0o755);
      const as = (uid: number) => ({ cwd: "/", uid, gid: uid });
      const owner = spawn(program, ["make"], { ...as(USERS[0]), stdio: ["pipe", "pipe", "inherit"] });
      try {
        const [line] = (await once(owner.stdout, "data")) as [Buffer];
        const opened = (uid: number) =>
          spawnSync(program, ["open", line.toString().trim()], { ...as(uid), encoding: "utf8" }).stdout;
        expect(USERS.map(opened)).toEqual(["opened\n", "refused\n"]);
      } finally {
        owner.kill("SIGKILL");
      }
    }),
  );
});
