import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  codeHasCome,
  compiled,
  countsOf,
  INSTALLED,
  ran,
  within,
  type Ran,
  type Surroundings,
} from "../programs/ranks.js";

const PROGRAMS = fileURLToPath(new URL("../programs/", import.meta.url));
const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const hasPython = (module: string): boolean => existsSync(`/usr/lib/python3/dist-packages/${module}`);
const SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests";

interface Likeness {
  readonly cwd?: string;
  /** What is to be the same. */
  readonly told?: (ran: Ran) => string;
  /** Whether most bytes can be ours. */
  readonly isOurs?: boolean;
}

/**
 * The program prints the same natively, while code arrives, and by our code under --verify; most bytes are ours then.
 */
async function alike(
  surroundings: Surroundings,
  ranks: number,
  words: readonly string[],
  { cwd, told = ({ output }) => output, isOurs = true }: Likeness = {},
): Promise<void> {
  const native = told(ran(surroundings, ranks, words, undefined, cwd));
  expect(native).not.toBe("");
  expect(told(ran(surroundings, ranks, words, {}, cwd))).toBe(native);
  await codeHasCome(surroundings);
  const warm = ran(surroundings, ranks, words, { verify: true }, cwd);
  expect(told(warm)).toBe(native);
  const { ourBytes, nativeBytes, differences } = countsOf(warm);
  expect(differences).toBe(0);
  if (isOurs) expect(ourBytes).toBeGreaterThan(nativeBytes);
}

describe.each(INSTALLED)("$name", (mpi) => {
  // A program at a fixed address has copies of its own of the MPI's predefined objects.
  test.each([
    [2, []],
    [3, ["-no-pie", "-fno-pie"]],
  ])("rules, seed %i, compiled with %j", { timeout: 300_000 }, (seed, flags) =>
    within(mpi, (surroundings) => alike(surroundings, 3, [compiled(surroundings, "rules.c", flags), String(seed)])),
  );

  test("a soak of 20,000 messages", { timeout: 300_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 4, [compiled(surroundings, "soak.c"), "20000", "100"])),
  );

  test("two threads of each rank commit, send, receive and free at once", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, [compiled(surroundings, "threads.c", ["-lpthread"]), "1000"])),
  );

  // The program has no sessions under an MPI before 4.0: nothing is sent.
  test.runIf(mpi.family === "mpich")("sessions without MPI_Init", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, [compiled(surroundings, "sessions.c")])),
  );

  // MPICH 4.0.2 by itself loses 64 bytes a cycle where its heap lies so: see c/mpi/mpich/generic-type.c.
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
      within(mpi, async (surroundings) => {
        const fortran = { ...mpi, compiler: mpi.compiler.replace("mpicc", "mpif90") };
        const program = join(surroundings.folder, "fortran");
        const flags = ["-cpp", `-D${way}`, "-ffree-line-length-none", "-o", program, join(PROGRAMS, "fortran.f90")];
        expect(spawnSync(fortran.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
        await alike(surroundings, 2, [program]);
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
      const words = [compiled(surroundings, "rules.c", [surroundings.library]), "1", "4"];
      const plain = ran(surroundings, 2, [compiled({ ...surroundings, folder: surroundings.folder }, "soak.c"), "100"]);
      expect(plain.errors).not.toContain("stowage");
      ran(surroundings, 2, words, { isLinked: true });
      expect(countsOf(ran(surroundings, 2, words, { isLinked: true, verify: true })).ourMessages).toBeGreaterThan(0);
    }),
  );
});

/** What a numerical program says of its checks; times differ from run to run. */
const checksOf = ({ output }: { readonly output: string }): string => {
  const lines = output.match(/^.*(tests? completed|tests? skipped|Success=|Errors=|_residual=).*$/gm) ?? [];
  return lines.join("\n");
};

/** UCX under Open MPI, which asks for a network that it knows unless told that any will do. */
const PML_UCX = [
  ...["--mca", "pml", "ucx", "--mca", "osc", "ucx"],
  ...["--mca", "opal_common_ucx_tls", "any", "--mca", "opal_common_ucx_devices", "any"],
];
const hasPmlUcx = spawnSync("ompi_info", [], { encoding: "utf8" }).stdout?.includes("MCA pml: ucx");

describe.runIf(INSTALLED.some(({ name }) => name === "openmpi"))("unmodified programs under Open MPI", () => {
  const [mpi] = INSTALLED as [Surroundings["mpi"]];

  // Its generic datatypes of UCX pack by convertors.
  test.runIf(hasPmlUcx)("rules, where messages go by pml_ucx", { timeout: 120_000 }, () =>
    within({ ...mpi, launch: [...mpi.launch, ...PML_UCX] }, (surroundings) =>
      alike(surroundings, 2, [compiled(surroundings, "rules.c"), "1", "4"]),
    ),
  );

  test.runIf(hasPython("mpi4py"))("mpi4py", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => alike(surroundings, 2, ["/usr/bin/python3", join(PROGRAMS, "exchange.py")])),
  );

  // Of 48 and more elements a side the contiguous runs are so long that they are left to the MPI.
  test.runIf(hasPython("mpi4py_fft"))("mpi4py-fft", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) =>
      alike(surroundings, 2, ["/usr/bin/python3", join(PROGRAMS, "transposes.py"), "24", "2"]),
    ),
  );

  test.runIf(hasPython("h5py"))("parallel HDF5 by h5py", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => {
      const python = ["env", "H5PY_ALWAYS_USE_MPI=1", "/usr/bin/python3"];
      return alike(surroundings, 3, [...python, join(PROGRAMS, "hyperslabs.py"), join(surroundings.folder, "file")]);
    }),
  );

  test.runIf(existsSync("/usr/include/pnetcdf.h"))("PnetCDF", { timeout: 120_000 }, () =>
    within(mpi, (surroundings) => {
      const program = compiled(surroundings, "slabs.c", ["-lpnetcdf"]);
      return alike(surroundings, 3, [program, join(surroundings.folder, "file")]);
    }),
  );

  // Those of Debian's that end in seconds; xdllt alone takes minutes.
  test.runIf(existsSync(SCALAPACK)).each(["xdlu", "xdinv", "xdhrd"])(
    "ScaLAPACK's %s",
    { timeout: 120_000 },
    (program) =>
      within(mpi, (surroundings) =>
        alike(surroundings, 4, [join(SCALAPACK, program)], { cwd: SCALAPACK, told: checksOf }),
      ),
  );

  test.runIf(has("hpcc"))("HPC Challenge", { timeout: 180_000 }, () =>
    within(mpi, async (surroundings) => {
      const { folder: cwd } = surroundings;
      const input = readFileSync("/usr/share/doc/hpcc/examples/_hpccinf.txt", "utf8");
      writeFileSync(join(cwd, "hpccinf.txt"), input.replace(/^1000(?= +Ns)/m, "200 ").replace(/^80(?= +NBs)/m, "16"));
      const results = join(cwd, "hpccoutf.txt");
      const told = (): string => {
        const output = readFileSync(results, "utf8");
        rmSync(results);
        return checksOf({ output });
      };
      // Its types have addresses of their own in each run, so that no code is there in time.
      await alike(surroundings, 4, ["hpcc"], { cwd, told, isOurs: false });
    }),
  );
});
