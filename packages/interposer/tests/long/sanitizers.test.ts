import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { buildLibrary } from "../../src/index.js";
import { ipcFrom } from "../device/routes.js";
import { withStandIn } from "../device/stand-in.js";
import {
  codeHasCome,
  compiled,
  countsOf,
  INSTALLED,
  ran,
  within,
  type Interposing,
  type Ran,
  type Surroundings,
} from "../programs/ranks.js";

const LONGEST_MS = 1_200_000;
const PLANTED = fileURLToPath(new URL("planted.h", import.meta.url));

/** A sanitizer, with which the library alone is compiled: not the MPI, nor the program unless that is asked for. */
interface Sanitizer {
  readonly name: string;
  readonly flags: readonly string[];
  /** To preload, in this order. */
  readonly libraries: readonly string[];
  readonly variables: readonly string[];
  /** Put before the program. */
  readonly launcher: readonly string[];
  /** What it found in our library, of all that it says. */
  readonly findings: (errors: string) => readonly string[];
  /** Faults of planted.h that it must find. */
  readonly faults: readonly string[];
}

/** A frame of ours: it has a name and a file. Those of libraries that are gone have neither. */
const IS_OURS = /in \w+ \S*(interposer\/(c|tests\/long)|libstowage\/c|runtime)\//;

/** Whoever called the allocator is a leak's second frame. MPIs leak as they please. */
const leaks = (errors: string): readonly string[] =>
  errors.split(/^(?=Direct leak|Indirect leak)/m).filter((part) => {
    const [, , caller = ""] = part.split("\n");
    return /^(Direct|Indirect) leak/.test(part) && IS_OURS.test(caller);
  });

/**
 * The innermost frames of two accesses, of which one at least is ours. Memory that the MPI allocated (convertors, of
 * its free lists) it hands from thread to thread by atomics of its own, which the sanitizer does not see.
 */
const races = (errors: string): readonly string[] =>
  errors
    .split(/^={18}$/m)
    .filter((part) => part.includes("WARNING: ThreadSanitizer"))
    // So is a kernel that one thread loaded, and that another reaches through a convertor.
    .filter((part) => !(part.includes(" convertor_advance_by ") && part.includes(" stowage_load ")))
    .filter((part) => !/Location is heap block.*\n +#0 malloc.*\n +#1 .*\((libopen-pal|libmpi|libmpich)\.so/.test(part))
    .filter((part) => {
      const [one = "", other = ""] = part.match(/^ +#0 .*$/gm) ?? [];
      return /(interposer\/(c|tests\/long)|libstowage\/c|runtime)\//.test(one + other);
    });

const ADDRESS: Sanitizer = {
  name: "AddressSanitizer with UndefinedBehaviorSanitizer",
  flags: ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
  libraries: ["libasan.so", "libubsan.so"],
  // A leak is no reason to end by another status than the program's: MPIs have theirs.
  variables: ["ASAN_OPTIONS=abort_on_error=1:detect_leaks=1:exitcode=0", "UBSAN_OPTIONS=print_stacktrace=1"],
  launcher: [],
  findings: (errors) => [...leaks(errors), ...(errors.match(/^.*(ERROR: AddressSanitizer|runtime error:).*$/gm) ?? [])],
  faults: ["leak", "bounds", "undefined"],
};

const THREAD: Sanitizer = {
  name: "ThreadSanitizer",
  flags: ["-fsanitize=thread"],
  libraries: ["libtsan.so"],
  // Races of two accesses of the MPI's, which is not compiled with it, are none of ours.
  variables: [
    "TSAN_OPTIONS=exitcode=0:ignore_noninstrumented_modules=1:report_signal_unsafe=0:history_size=4",
    // UCX and this each replace calls of memory, and a process of both ends by SIGSEGV when MPI_Finalize is over.
    "UCX_MEM_EVENTS=n",
  ],
  // Its shadow lies where addresses that are drawn at random may lie.
  launcher: ["setarch", "-R"],
  findings: races,
  faults: ["race"],
};

const libraryOf = (name: string): string =>
  realpathSync(spawnSync("gcc", [`-print-file-name=${name}`], { encoding: "utf8" }).stdout.trim());

/** As `ran`, but what ranks say of errors is not cut by each other's. */
function ranApart(surroundings: Surroundings, ranks: number, words: readonly string[], how: Interposing): Ran {
  const folder = mkdtempSync(join(surroundings.folder, "errors-"));
  const apart = ["sh", "-c", 'exec "$@" 2>"$0/$$"', folder, ...words];
  const { output } = ran(surroundings, ranks, apart, how);
  return {
    output,
    errors: readdirSync(folder, "utf8")
      .map((each) => readFileSync(join(folder, each), "utf8"))
      .join(""),
  };
}

/** Programs of tests/programs, their arguments, what they are compiled with, and variables of their ranks. */
const PROGRAMS: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  ["column.c", ["20"], [], []],
  ["rules.c", ["4", "4"], [], []],
  ["soak.c", ["2000", "100"], [], []],
  ["threads.c", ["200"], ["-lpthread"], []],
  ["past.c", ["sizes"], [], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-requests.c", [], [], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-lying.c", ["kinds"], [], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-lying.c", ["calls"], [], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-lying.c", ["memory"], [], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-lying.c", ["calls", "private"], [], ["STOWAGE_HOST_ROUTE=4096", "STOWAGE_HOST_READS=2048"]],
  ["past-threads.c", ["1"], ["-lpthread"], ["STOWAGE_HOST_ROUTE=4096"]],
  ["past-threads.c", ["8"], ["-lpthread"], ["STOWAGE_HOST_ROUTE=measured"]],
];

describe.each([ADDRESS, THREAD])("$name", (sanitizer) => {
  const built = mkdtempSync(join(tmpdir(), "stowage-sanitized-"));
  afterAll(() => rmSync(built, { recursive: true }));
  const before = sanitizer.libraries.map(libraryOf).join(":");

  /** The library of an MPI, compiled so: once for all tests. */
  async function libraryFor(compiler: string): Promise<string> {
    const wrapper = join(built, compiler);
    const flags = ["-g", "-fno-omit-frame-pointer", "-include", PLANTED, ...sanitizer.flags];
    writeFileSync(wrapper, `#!/bin/sh\nexec ${compiler} ${flags.join(" ")} "$@"\n`);
    chmodSync(wrapper, 0o755);
    return (await buildLibrary(wrapper, join(built, "lib"))).path;
  }

  /** Without code, and with it: the program says what it says natively, and nothing is found in the library. */
  async function isClean(
    plain: Surroundings,
    ranks: number,
    words: readonly string[],
    native: readonly string[] = words,
    more: readonly string[] = [],
  ): Promise<void> {
    const surroundings = { ...plain, library: await libraryFor(plain.mpi.compiler) };
    const expected = ran(surroundings, ranks, native).output;
    const variables = [...sanitizer.variables, ...more];
    for (const verify of [false, false, true]) {
      const how = { before, verify, variables };
      const { output, errors } = ranApart(surroundings, ranks, [...sanitizer.launcher, ...words], how);
      expect(sanitizer.findings(errors)).toEqual([]);
      expect(output).toBe(expected);
      await codeHasCome(surroundings);
      if (verify) expect(countsOf({ output, errors })).toMatchObject({ differences: 0 });
      if (verify) expect(countsOf({ output, errors }).ourMessages).toBeGreaterThan(0);
    }
  }

  describe.each(INSTALLED)("$name", (mpi) => {
    test.each([...sanitizer.faults])("a fault is found: %s", { timeout: LONGEST_MS }, (fault) =>
      within(mpi, async (surroundings) => {
        const program = compiled(surroundings, "column.c");
        const preload = `LD_PRELOAD=${before}:${await libraryFor(mpi.compiler)}`;
        const words = [...sanitizer.variables, preload, `PLANTED=${fault}`, ...sanitizer.launcher, program, "1"];
        const { stderr } = spawnSync(mpi.launch[0] as string, [...mpi.launch.slice(1), "-n", "1", "env", ...words], {
          encoding: "utf8",
          env: { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
        });
        expect(sanitizer.findings(stderr)).not.toEqual([]);
      }),
    );

    test.each(PROGRAMS)("nothing is found under %s", { timeout: LONGEST_MS }, (source, words, flags, more) =>
      within(mpi, (surroundings) => {
        const own = [compiled(surroundings, source, flags), ...words];
        return isClean(surroundings, 2, own, own, more);
      }),
    );

    test.each(["messages.c", "each-call.c"])("nor under device/%s", { timeout: LONGEST_MS }, (source) =>
      within(mpi, (surroundings) => {
        const program = withStandIn(surroundings.folder, mpi, source);
        const short = ipcFrom(surroundings.folder, 64);
        return isClean(surroundings, 2, [program, "device", "5"], [program, "host", "5"], [short]);
      }),
    );
  });
});
