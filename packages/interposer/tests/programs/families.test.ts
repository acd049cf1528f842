import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildLibrary, buildLoader, LIBRARIES } from "../../src/build/build-library.js";
import { readRecordings } from "../../src/recording/recording.js";
import { findLibraries } from "../../src/run/find-library.js";
import { launcherOf } from "../../src/run/launcher.js";
import {
  codeHasCome,
  compiled,
  countsOf,
  INSTALLED,
  ran,
  within,
  type InstalledMpi,
  type Interposing,
} from "./ranks.js";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const hasPython = (module: string): boolean => existsSync(`/usr/lib/python3/dist-packages/${module}`);
const hasMpi4py = hasPython("mpi4py") && hasPython("numpy");

/** The library that finds out of which MPI a program is, with the hooks for every MPI that is installed. */
const forAny = async (): Promise<Interposing> => ({
  library: await buildLoader(),
  variables: [`${LIBRARIES.packing}=${await libraries()}`],
});
const libraryOf = async ({ compiler }: InstalledMpi): Promise<string> => (await buildLibrary(compiler)).path;
/** One for each ABI: that of the standard's serves programs of every MPI. */
const ABIS = INSTALLED.filter(({ abi }, i) => INSTALLED.findIndex((each) => each.abi === abi) === i);
const libraries = async (): Promise<string> =>
  (await Promise.all(ABIS.map(async (mpi) => `${mpi.abi}=${await libraryOf(mpi)}`))).join(":");

function gcc(...args: readonly string[]): void {
  expect(spawnSync("gcc", args, { encoding: "utf8" }).stderr).toBe("");
}

describe.each(INSTALLED)("$name", (mpi) => {
  const others = INSTALLED.filter(({ abi }) => abi !== mpi.abi);

  test.each(others)("its programs run as ever with the library of $name's preloaded", (another) =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "column.c"), "3"];
      const library = await libraryOf(another);
      const { output, errors } = ran(surroundings, 2, words, { library });
      // What the MPI says of this machine's networks is its own.
      expect([output, errors.match(/^stowage.*$/gm)]).toEqual(["0 wrong\n", null]);
      // One of no type at all: MPI_Init and MPI_Finalize alone.
      expect(ran(surroundings, 2, [...words.slice(0, 1), "0"], { library }).output).toBe("0 wrong\n");
    }),
  );

  test("one library serves it whatever the launcher, linked with the program or brought by a shared object later", () =>
    within(mpi, async (surroundings) => {
      const linked = compiled(surroundings, "column.c");
      const object = join(surroundings.folder, "column.so");
      const flags = ["-w", "-shared", "-fPIC", "-DDLOPENED", "-o", object, here("column.c")];
      expect(spawnSync(mpi.compiler, flags, { encoding: "utf8" }).stderr).toBe("");
      const opener = join(surroundings.folder, "dlopener");
      gcc("-o", opener, here("dlopener.c"));
      expect(ran(surroundings, 2, [linked, "1"], await forAny()).output).toBe("0 wrong\n");
      await codeHasCome(surroundings);
      for (const words of [[linked], [opener, object]]) {
        const warm = ran(surroundings, 2, [...words, "3"], { ...(await forAny()), verify: true });
        expect(warm.output).toBe("0 wrong\n");
        const { ourMessages, nativeBytes, ranges, differences } = countsOf(warm);
        expect({ nativeBytes, differences }).toEqual({ nativeBytes: 0, differences: 0 });
        expect(ourMessages).toBeGreaterThan(0);
        expect(ranges).toBeGreaterThan(0);
      }
    }));

  test("recordings have the times of its programs' calls, by a recorder that is preloaded ahead of it", () =>
    within(mpi, async (surroundings) => {
      const folder = join(surroundings.folder, "record");
      mkdirSync(folder);
      const recorder = await findLibraries(launcherOf(["sh", "-c", "mpirun true"]), "recording");
      const any = await forAny();
      const { output, errors } = ran(surroundings, 2, [compiled(surroundings, "column.c"), "3"], {
        before: recorder.preloaded,
        library: any.library ?? "",
        variables: [...(any.variables ?? []), recorder.variable.join("="), `STOWAGE_RECORD=${folder}`],
      });
      expect(output).toBe("0 wrong\n");
      expect(errors).not.toContain("nothing is known");
      const times = readRecordings(folder).flatMap(({ types }) =>
        types.flatMap(({ pack, unpack }) => [pack.callNs, unpack.callNs]),
      );
      expect(Math.max(...times)).toBeGreaterThan(0);
    }));

  test("STOWAGE_EXCLUDE keeps it native by its name, or by a pattern, and says nothing; another's name does not", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "column.c"), "1"];
      const run = async (pattern: string): Promise<readonly string[]> => {
        const how = await forAny();
        const variables = [...(how.variables ?? []), `STOWAGE_EXCLUDE=${pattern}`];
        const { output, errors } = ran(surroundings, 1, words, { ...how, variables });
        return [output, errors];
      };
      for (const pattern of [`absent:column-${mpi.name}`, "col*", ":?olumn-*:"])
        expect(await run(pattern)).toEqual(["0 wrong\n", ""]);
      const [output, errors] = await run(`/column-${mpi.name}:column:env:*.c`);
      expect([output, /rank 0: \d+ messages of/.test(errors ?? "")]).toEqual(["0 wrong\n", true]);
    }));

  test("without a library for it all stays native, and a line says so", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "column.c"), "1"];
      const { output, errors } = ran(surroundings, 1, words, { library: await buildLoader() });
      const reason = `no library was built for programs of this MPI (${mpi.abi}): all messages stay native`;
      expect([output, errors]).toEqual(["0 wrong\n", `stowage: ${reason}\n`]);
    }));
});

test("what serves a script is built for every MPI that has a wrapper, and taken again without one", () =>
  within(INSTALLED[0] as (typeof INSTALLED)[0], async ({ folder }) => {
    const lib = join(folder, "lib");
    const launcher = launcherOf(["sh", "-c", "mpirun true"]);
    const built = await findLibraries(launcher, "recording", lib);
    expect(built.variable[0]).toBe(LIBRARIES.recording);
    expect(
      built.variable[1]
        .split(":")
        .map((each) => each.split("=")[0])
        .toSorted(),
    ).toEqual(ABIS.map(({ abi }) => abi).toSorted());
    const compilers = { ...launcher, compilers: ["/absent/mpicc"] };
    expect(await findLibraries(compilers, "recording", lib)).toEqual(built);
    // The launcher's MPI is not another's.
    await expect(findLibraries({ ...compilers, family: "openmpi" }, "packing", lib)).rejects.toThrow("/absent/mpicc");
  }));

test("a script of programs of all MPIs is served, each by its own", () =>
  within(INSTALLED[0] as (typeof INSTALLED)[0], async (surroundings) => {
    const lines = INSTALLED.map((mpi) =>
      [...mpi.launch, "-n 2", compiled({ ...surroundings, mpi }, "column.c"), "3"].join(" "),
    );
    const env = {
      ...process.env,
      [LIBRARIES.packing]: await libraries(),
      OMPI_ALLOW_RUN_AS_ROOT: "1",
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
      LD_PRELOAD: await buildLoader(),
      STOWAGE_CACHE: join(surroundings.folder, "cache"),
      STOWAGE_SERVICE: surroundings.service.path,
      STOWAGE_VERBOSE: "1",
    };
    const script = (): SpawnSyncReturns<string> =>
      spawnSync("sh", ["-ec", lines.join("\n")], { env, encoding: "utf8" });
    expect(script()).toMatchObject({ status: 0, stdout: "0 wrong\n".repeat(INSTALLED.length) });
    await codeHasCome(surroundings);
    const { stderr } = script();
    const served = stderr.match(/rank \d: [1-9]\d* messages of \d+ bytes by our code, 0 of 0 bytes natively/g);
    expect(served).toHaveLength(2 * INSTALLED.length);
  }));

const OF_STANDARD = INSTALLED.filter(({ abi }) => abi === "mpi-abi");

test.runIf(OF_STANDARD.length > 1)("one program of the standard's ABI and one library run under every MPI's", () =>
  within(OF_STANDARD[0] as InstalledMpi, async (surroundings) => {
    const words = [compiled(surroundings, "column.c"), "3"];
    ran(surroundings, 2, words, {});
    await codeHasCome(surroundings);
    for (const mpi of OF_STANDARD) {
      const variables = [`LD_LIBRARY_PATH=/usr/local/lib/mpi-abi-${mpi.family}`];
      const { output, errors } = ran({ ...surroundings, mpi }, 2, words, { verify: true, variables });
      expect(output).toBe("0 wrong\n");
      expect(errors).toContain(mpi.family === "openmpi" ? "inside Open MPI's convertors" : "inside MPICH's UCX");
      const { ourMessages, nativeBytes, differences } = countsOf({ output, errors });
      expect({ nativeBytes, differences }).toEqual({ nativeBytes: 0, differences: 0 });
      expect(ourMessages).toBeGreaterThan(0);
    }
  }),
);

test.runIf(hasMpi4py && INSTALLED.some(({ name }) => name === "openmpi"))("mpi4py", () =>
  within(INSTALLED.find(({ name }) => name === "openmpi") as (typeof INSTALLED)[0], async (surroundings) => {
    const words = ["/usr/bin/python3", here("exchange.py")];
    const native = ran(surroundings, 2, words).output;
    expect(ran(surroundings, 2, words, await forAny()).output).toBe(native);
    await codeHasCome(surroundings);
    const warm = ran(surroundings, 2, words, { ...(await forAny()), verify: true });
    expect(warm.output).toBe(native);
    expect(countsOf(warm)).toMatchObject({ differences: 0 });
    expect(countsOf(warm).ourMessages).toBeGreaterThan(0);
    for (const another of INSTALLED.filter(({ abi }) => abi !== "openmpi"))
      expect(ran(surroundings, 2, words, { library: await libraryOf(another) }).output).toBe(native);
  }),
);

test("programs of an MPI that no one knows, and of none, run as ever with any of the libraries", () =>
  within(INSTALLED[0] as (typeof INSTALLED)[0], async ({ folder }) => {
    const [library, program] = [join(folder, "libunknown.so"), join(folder, "unknown")];
    gcc("-shared", "-fPIC", "-DLIBRARY", "-o", library, here("unknown-mpi.c"));
    gcc("-o", program, here("unknown-mpi.c"), library, `-Wl,-rpath,${folder}`);
    const all = [...(await Promise.all(INSTALLED.map(libraryOf))), await buildLoader()];
    for (const LD_PRELOAD of all) {
      const env = { ...process.env, LD_PRELOAD };
      expect(spawnSync(program, [], { env, encoding: "utf8" })).toMatchObject({
        status: 0,
        stdout: "4 calls\n",
        stderr: "",
      });
      expect(spawnSync("echo", ["as ever"], { env, encoding: "utf8" }).stdout).toBe("as ever\n");
    }
  }));
