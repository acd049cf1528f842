import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import {
  codeHasCome,
  compiled,
  countsOf,
  INSTALLED,
  ran,
  startServiceIn,
  type Ran,
  type Surroundings,
} from "../programs/ranks.js";
import { inFolder } from "../service/in-folder.js";

const PROGRAMS = fileURLToPath(new URL("../programs/", import.meta.url));
const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const hasPython = (module: string): boolean => existsSync(`/usr/lib/python3/dist-packages/${module}`);
const SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests";

const within = (mpi: Surroundings["mpi"], use: (surroundings: Surroundings) => void | Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const service = await startServiceIn(folder);
    try {
      await use({ mpi, folder, service });
    } finally {
      service.process?.kill("SIGKILL");
    }
  });

/** The same output natively, while code arrives, and by our code under --verify; most bytes are ours then. */
async function alike(
  surroundings: Surroundings,
  ranks: number,
  words: readonly string[],
  { cwd, told = ({ output }) => output }: { readonly cwd?: string; readonly told?: (ran: Ran) => string } = {},
): Promise<void> {
  const native = told(ran(surroundings, ranks, words, undefined, cwd));
  expect(native).not.toBe("");
  expect(told(ran(surroundings, ranks, words, {}, cwd))).toBe(native);
  await codeHasCome(surroundings);
  const warm = ran(surroundings, ranks, words, { verify: true }, cwd);
  expect(told(warm)).toBe(native);
  const { ourBytes, nativeBytes, differences } = countsOf(warm);
  expect(differences).toBe(0);
  expect(ourBytes).toBeGreaterThan(nativeBytes);
}

describe.each(INSTALLED)("$name", (mpi) => {
  test.each([2, 3, 4, 5])("rules, seed %i", { timeout: 300_000 }, (seed) =>
    within(mpi, (surroundings) => alike(surroundings, 3, [compiled(surroundings, "rules.c"), String(seed)])),
  );

  test("a soak of 20,000 messages", { timeout: 300_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 4, [compiled(surroundings, "soak.c"), "20000", "100"])),
  );

  test("two threads of each rank commit, send, receive and free at once", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, [compiled(surroundings, "threads.c", ["-lpthread"]), "1000"])),
  );

  // Of an MPI before 4.0 the program has no sessions: nothing is sent.
  test.runIf(mpi.name === "mpich")("sessions without MPI_Init", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, [compiled(surroundings, "sessions.c")])),
  );

  // MPICH 4.0.2 by itself loses 64 bytes a cycle where its heap lies so: see c/generic-type.c.
  test("100,000 datatypes committed and freed leave the memory as it was", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => {
      const { output } = ran(surroundings, 1, [compiled(surroundings, "cycles.c"), "100000"], {});
      const [early = 0, late = 0] = Array.from(output.matchAll(/, (\d+) KiB/g), ([, kib]) => Number(kib));
      expect(late - early).toBeLessThanOrEqual(256);
    }),
  );

  test.runIf(has("gfortran")).each(["WITH_MPIF", "WITH_MODULE", "WITH_F08"])(
    "Fortran, %s",
    { timeout: 120_000 },
    (way) =>
      within(mpi, (surroundings) => {
        const fortran = { ...mpi, compiler: mpi.compiler.replace("mpicc", "mpif90") };
        const program = join(surroundings.folder, "fortran");
        const flags = ["-cpp", `-D${way}`, "-ffree-line-length-none", "-o", program, join(PROGRAMS, "fortran.f90")];
        expect(spawnSync(fortran.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
        alike(surroundings, 2, [program]);
      }),
  );

  test(
    "a profiler that is preloaded, on either side of us, counts what it counts without us",
    { timeout: 120_000 },
    () =>
      within(mpi, (surroundings) => {
        const profiler = join(surroundings.folder, "profiler.so");
        const flags = ["-shared", "-fPIC", "-o", profiler, join(PROGRAMS, "profiler.c")];
        expect(spawnSync(mpi.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
        const words = [compiled(surroundings, "rules.c"), "1", "4"];
        const alone = ran(surroundings, 2, words, { isLinked: true, before: profiler });
        expect(alone.output).toMatch(/profiled [1-9]\d* commits, [1-9]\d* packs/);
        ran(surroundings, 2, words, {});
        for (const how of [{ before: profiler }, { behind: profiler }]) {
          const both = ran(surroundings, 2, words, { ...how, verify: true });
          expect(both.output).toBe(alone.output);
          expect(countsOf(both).ourMessages).toBeGreaterThan(0);
        }
      }),
  );

  test("linked ahead of the MPI it works as preloaded", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => {
      const { path } = buildLibrary(mpi.compiler);
      const words = [compiled(surroundings, "rules.c", [path]), "1", "4"];
      const plain = ran(surroundings, 2, [compiled({ ...surroundings, folder: surroundings.folder }, "soak.c"), "100"]);
      expect(plain.errors).not.toContain("stowage");
      ran(surroundings, 2, words, { isLinked: true });
      expect(countsOf(ran(surroundings, 2, words, { isLinked: true, verify: true })).ourMessages).toBeGreaterThan(0);
    }),
  );
});

describe.runIf(INSTALLED.some(({ name }) => name === "openmpi"))("unmodified programs under Open MPI", () => {
  const [mpi] = INSTALLED as [Surroundings["mpi"]];

  test.runIf(hasPython("mpi4py"))("mpi4py", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, ["/usr/bin/python3", join(PROGRAMS, "exchange.py")])),
  );

  test.runIf(hasPython("mpi4py_fft"))("mpi4py-fft", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) =>
      alike(surroundings, 2, ["/usr/bin/python3", join(PROGRAMS, "transposes.py"), "48", "2"]),
    ),
  );

  test.runIf(existsSync(SCALAPACK)).each(["xdllt", "xdlu"])("ScaLAPACK's %s", { timeout: 600_000 }, (program) =>
    within(mpi, (surroundings) => {
      const passed = ({ output }: { output: string }): string | undefined =>
        /(\d+) tests completed and passed/.exec(output)?.[0];
      const native = ran(surroundings, 4, [join(SCALAPACK, program)], undefined, SCALAPACK);
      ran(surroundings, 4, [join(SCALAPACK, program)], {}, SCALAPACK);
      const ours = ran(surroundings, 4, [join(SCALAPACK, program)], { verify: true }, SCALAPACK);
      expect(passed(native)).toBeDefined();
      expect(passed(ours)).toBe(passed(native));
      expect(countsOf(ours)).toMatchObject({ differences: 0 });
      expect(countsOf(ours).ourMessages).toBeGreaterThan(0);
    }),
  );
});
