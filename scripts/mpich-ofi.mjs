// node scripts/mpich-ofi.mjs SOURCE: builds MPICH with the device ch4:ofi, an MPI inside which nothing can be packed,
// as in Cray's and Intel's, where Debian's own has ch4:ucx. SOURCE: the unpacked sources of a release (Debian's source
// package, or upstream's), or a checkout of which `autogen.sh` was run. Builds in tmp/mpich-ofi/build and installs into
// tmp/mpich-ofi, whose bin has mpicc.mpich-ofi and mpiexec.mpich-ofi: with it on the PATH experiments of the laboratory
// take `--mpi mpich-ofi`. Says what it does and how long that took; where it was interrupted, the next run goes on. As
// root, for apt-get. Left out of what Debian builds: Fortran, C++, MPI-IO and static libraries.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hasLibrary, hasProgram, installMissing } from "./install-missing.mjs";

const prefix = join(dirname(dirname(fileURLToPath(import.meta.url))), "tmp", "mpich-ofi");
const build = join(prefix, "build");
const log = join(prefix, "build.log");
const FLAGS = [
  "--with-device=ch4:ofi --with-libfabric=/usr --without-ucx --with-hwloc=/usr --with-pm=hydra",
  "--enable-shared --disable-static --disable-fortran --disable-cxx --disable-romio",
].flatMap((words) => words.split(" "));
/** Without pkg-config, which would have MPICH linked with what libfabric.a needs, too. */
const VARIABLES = { MPICHLIB_CFLAGS: "-g -O2", BASH_SHELL: "/bin/bash", PKG_CONFIG: "false" };
const NEEDS = [
  ["make", hasProgram("make")],
  ["gcc", hasProgram("gcc")],
  ["python3", hasProgram("python3")],
  ["libfabric-dev", hasLibrary("libfabric.so")],
  ["libhwloc-dev", hasLibrary("libhwloc.so")],
];
const NAMES = { "mpicc.mpich-ofi": "mpicc", "mpiexec.mpich-ofi": "mpiexec.hydra" };

const source = resolve(process.argv[2] ?? fail("expected the folder of MPICH's sources, got none"));
if (!existsSync(join(source, "configure"))) fail(`${source}: expected sources with a configure script, got none`);
if (process.getuid?.() !== 0) fail("expected root, which may install packages, got another user");
installMissing(
  NEEDS.map(([name, isInstalled]) => ({ name, isInstalled, packages: [name] })),
  "there is no ch4:ofi",
);
mkdirSync(build, { recursive: true });
if (!existsSync(join(build, "Makefile"))) step([join(source, "configure"), `--prefix=${prefix}`, ...FLAGS], VARIABLES);
step(["make", `-j${availableParallelism()}`]);
step(["make", "install"]);
for (const [name, target] of Object.entries(NAMES)) {
  rmSync(join(prefix, "bin", name), { force: true });
  symlinkSync(target, join(prefix, "bin", name));
}
console.log(join(prefix, "bin"));

function fail(reason) {
  console.error(`mpich-ofi: ${reason}`);
  process.exit(1);
}

function step([program, ...args], env = {}) {
  const what = [program, ...args].slice(0, 2).join(" ");
  const begun = Date.now();
  console.error(`mpich-ofi: ${what} ...`);
  const output = openSync(log, "a");
  const { status, error } = spawnSync(program, args, {
    cwd: build,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  if (status !== 0) fail(`${what}: expected to end with 0, got ${error?.message ?? status}; ${log} says more`);
  console.error(`mpich-ofi: ${what}: ${Math.round((Date.now() - begun) / 1000)} s`);
}
