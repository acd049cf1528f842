// The MPIs that experiments run under, as Debian's packages install them, and for the standard's ABI with the compiler
// wrappers that scripts/in-debian.mjs brings; and what interposes programs under them.
import { buildLibrary, mpiIdentity, startService } from "@stowage/interposer";
import { librarySources } from "@stowage/libstowage";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inFolder } from "./in-folder.mjs";
import { AS_ROOT } from "./mpis.mjs";
import { ran } from "./programs.mjs";

const C = fileURLToPath(new URL("../c/", import.meta.url));
export const RUNTIME = fileURLToPath(new URL("../../runtime/", import.meta.url));

const LAUNCHERS = { openmpi: ["mpirun.openmpi", "--oversubscribe"], mpich: ["mpiexec.mpich"] };
const mpiOf = (family, name, compiler, launch = LAUNCHERS[family]) => ({ family, name, compiler, launch });
const MPIS = [
  mpiOf("openmpi", "openmpi", "mpicc.openmpi"),
  mpiOf("mpich", "mpich", "mpicc.mpich"),
  mpiOf("openmpi", "openmpi-abi", "mpicc_abi.openmpi"),
  mpiOf("mpich", "mpich-abi", "mpicc_abi.mpich"),
  // MPICH as clusters have it: its device is ch4:ofi (scripts/mpich-ofi.mjs).
  mpiOf("mpich", "mpich-ofi", "mpicc.mpich-ofi", ["mpiexec.mpich-ofi"]),
];

/** The option of an experiment that runs under some of them, and those that it named. */
export const mpiOption = (byDefault) => ({
  mpi: {
    kind: "texts",
    says: "MPIs; -abi: of the standard's ABI, -ofi: over ch4:ofi",
    of: MPIS.map(({ name }) => name),
    byDefault,
  },
});
export const mpisNamed = (names) => names.map((name) => MPIS.find((mpi) => mpi.name === name));

/** Name and release; of the standard's ABI the release of the MPI below: mpich-5.0.2-abi. */
export function releaseOf({ family, name, compiler }) {
  const { version } = mpiIdentity(name === "mpich-ofi" ? compiler : `mpicc.${family}`);
  return `${family}-${version}${name.slice(family.length)}`;
}

/** Runs a command, which may be root's: its `stdout` and `stderr`. Throws one line where it failed. */
export const launched = ([command, ...args], { env = process.env, ...options } = {}) =>
  ran(command, args.map(String), { ...options, env: { ...env, ...AS_ROOT } });

/** The same: what it printed. */
export const run = (command, options) => launched(command, options).stdout;

/** Compiles a program of lab/c by an MPI's wrapper; returns its path. */
export function compiled(compiler, folder, source, flags = []) {
  const program = join(folder, `${basename(source, ".c")}-${compiler}`);
  run([compiler, "-std=gnu11", "-O2", `-I${RUNTIME}`, "-o", program, join(C, source), ...flags]);
  return program;
}

/** The same with all of libstowage that it does not include. */
export function compiledWithLibrary(compiler, folder, source, included = "none") {
  const { files, includes } = librarySources();
  const others = files.filter((path) => !path.endsWith(included));
  return compiled(compiler, folder, source, ["-O3", ...includes.map((each) => `-I${each}`), ...others, "-ldl"]);
}

/** How an MPI's datatypes round their extents, by the names of describeType. */
export const BOUNDS = { openmpi: "open-mpi", mpich: "mpich" };

/** Yields what `use` makes of a folder and of the variables of a compile service whose cache lies there. */
export const served = (use, { start = startService, within } = {}) =>
  inFolder(
    "interposed",
    async function* (folder) {
      const cache = join(folder, "cache");
      const service = await start({ ...process.env, STOWAGE_CACHE: cache, XDG_RUNTIME_DIR: folder });
      try {
        yield* use(folder, [`STOWAGE_CACHE=${cache}`, `STOWAGE_SERVICE=${service.path}`]);
      } finally {
        service.process?.kill("SIGKILL");
      }
    },
    within,
  );

const TRIES = 60;
const BETWEEN_MS = 500;

/**
 * Runs a program until what it says on standard error is matched, as when the code has come that its first runs asked
 * the service for. Throws one line where it never is.
 */
export async function saysIn(program, pattern) {
  for (let tries = 0; tries < TRIES; tries++) {
    if (pattern.test(program())) return;
    await setTimeout(BETWEEN_MS);
  }
  throw new Error(`expected ${pattern} in what it says, got none in ${TRIES} runs`);
}

/** The variable that preloads the library for an MPI's programs. */
export const preloadOf = async ({ compiler }, build = buildLibrary) => `LD_PRELOAD=${(await build(compiler)).path}`;
