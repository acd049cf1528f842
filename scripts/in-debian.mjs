// Runs a command of this checkout, built before, on another release of Debian, whose MPIs are newer (trixie: Open MPI
// 5.0.7 and MPICH 4.2.1; sid: 6.0.0rc2 and 5.0.2 in November 2026), as root; STOWAGE_MPI names one of them alone, as
// anywhere:
// node scripts/in-debian.mjs RELEASE stowage bench --peers ...
// The first time it makes tmp/RELEASE, 1.6 GB, in some minutes, with debootstrap, which is installed where it is
// missing. Mounts are the command's own.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasProgram, installMissing } from "./install-missing.mjs";

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const [, , release, ...command] = process.argv;
/** Compilers, launchers and mpi4py: what the tests build and run. Then what hosts of a test are made of. */
const PACKAGES = [
  ..."gcc gfortran libc6-dev openmpi-bin libopenmpi-dev mpich libmpich-dev python3-mpi4py".split(" "),
  ..."openssh-server iproute2 procps".split(" "),
];

/**
 * In a namespace of its own: this checkout where it is here, and what a program expects of a kernel; then the command.
 * Its root is a mount, without which nothing in it could have mounts of its own.
 */
const ENTER = `set -e
mount --bind "$SYSTEM" "$SYSTEM"
for each in "$CHECKOUT" /dev /dev/shm /sys; do mkdir -p "$SYSTEM$each"; mount --bind "$each" "$SYSTEM$each"; done
mount -t proc proc "$SYSTEM/proc"
exec chroot "$SYSTEM" sh -c 'cd "$CHECKOUT" && exec "$@"' sh "$@"`;

/**
 * By apt, which knows alternatives, as debootstrap does not. A mirror that was kept may be past its date. Of a run that
 * was killed apt may still be at work, with the lock: it is waited for. One that was ended itself left packages half.
 */
const FILL = `set -e
system=$1; shift
exec 9> "$system/var/lib/stowage-filling"; flock 9
mount --bind /dev "$system/dev"; mount -t proc proc "$system/proc"
export DEBIAN_FRONTEND=noninteractive
chroot "$system" dpkg --configure -a
for words in "update" "install -y --no-install-recommends $*"; do
  chroot "$system" apt-get -q -o Acquire::Check-Valid-Until=false $words
done`;

if (release === undefined || !/^[a-z]+$/.test(release)) fail(`expected a release of Debian, got ${release ?? "none"}`);
if (command.length === 0) fail("expected a command, got none");
if (process.getuid?.() !== 0) fail("expected root, which may mount and chroot, got another user");
const system = join(checkout, "tmp", release);
if (existsSync(system)) fillUp();
else makeSystem();
bringNode();
bringStandardWrappers();
const { status } = spawnSync("unshare", ["--mount", "sh", "-c", ENTER, "sh", ...command], {
  env: environment(),
  stdio: "inherit",
});
process.exit(status ?? 1);

function fail(reason) {
  console.error(`in-debian: ${reason}`);
  process.exit(1);
}

/** This system's Node, unless it is there: others may be running it. */
function bringNode() {
  const node = join(system, "usr/local/bin/node");
  if (existsSync(node) && readFileSync(node).equals(readFileSync(process.execPath))) return;
  const beside = `${node}.${process.pid}`;
  copyFileSync(process.execPath, beside);
  renameSync(beside, node);
}

/**
 * Compiler wrappers for the standard's ABI: Debian's packages of sid have none that works, and one libmpi_abi.so.1, of
 * one of the MPIs. What `mpicc_abi.NAME` compiles runs with that MPI's, unless LD_LIBRARY_PATH has another.
 */
function bringStandardWrappers() {
  const libraries = "/usr/lib/x86_64-linux-gnu";
  const headers = { openmpi: "openmpi/include/standard_abi", mpich: "mpi_abi_mpich/include" };
  for (const name of Object.keys(headers)) {
    const library = `${libraries}/libmpi_abi_${name}.so.1.0.0`;
    if (!existsSync(join(system, library))) continue;
    const folder = `/usr/local/lib/mpi-abi-${name}`;
    const link = join(system, folder, "libmpi_abi.so.1");
    mkdirSync(dirname(link), { recursive: true });
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(library, link);
    const compile = `gcc -I${libraries}/${headers[name]}`;
    const linked = `-L${folder} -l:libmpi_abi.so.1 -Wl,--enable-new-dtags,-rpath,${folder}`;
    const text = `[ "$1" != -show ] || exec echo ${compile}\nexec ${compile} "$@" ${linked}`;
    for (const wrapper of [`mpicc_abi.${name}`, "mpicc_abi"]) writeProgram(wrapper, text);
  }
}

/** Others may be running what was there. */
function writeProgram(name, text) {
  const path = join(system, "usr/local/bin", name);
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  renameSync(beside, path);
}

/** Says what it does, and how long that took. */
function step(what, work) {
  console.error(`in-debian: ${release}: ${what} ...`);
  const begun = Date.now();
  work();
  console.error(`in-debian: ${release}: ${what}: ${Math.round((Date.now() - begun) / 1000)} s`);
}

/**
 * Made beside its place. What was interrupted in debootstrap is made anew; behind that, apt goes on with the packages
 * that it has.
 */
function makeSystem() {
  const debootstrap = { name: "debootstrap", isInstalled: hasProgram("debootstrap"), packages: ["debootstrap"] };
  installMissing([debootstrap], `there is no ${release}`);
  const unfinished = `${system}.unfinished`;
  const bootstrapped = join(unfinished, "var/lib/stowage-bootstrapped");
  const stdio = ["ignore", "ignore", "inherit"];
  if (existsSync(bootstrapped)) console.error(`in-debian: ${release}: going on behind debootstrap`);
  else
    step("debootstrap, 300 MB in a minute or more (1 of 2)", () => {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { recursive: true });
      const made = spawnSync("debootstrap", ["--variant=minbase", release, unfinished], { stdio });
      if (made.status !== 0)
        fail(`debootstrap: expected ${release} in ${unfinished}, got ${made.error?.message ?? made.status}`);
      writeFileSync(bootstrapped, "");
    });
  step("apt-get, compilers and MPIs, 1.3 GB in some minutes (2 of 2)", () => fill(unfinished));
  renameSync(unfinished, system);
}

function fill(folder) {
  const words = ["--mount", "sh", "-c", FILL, "sh", folder, ...PACKAGES];
  const { status } = spawnSync("unshare", words, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) fail(`apt-get: expected ${PACKAGES.join(", ")} in ${folder}, got ${status}`);
}

/** A system that was made for an earlier list gets what it lacks. */
function fillUp() {
  const known = readFileSync(join(system, "var/lib/dpkg/status"), "utf8");
  const lacks = PACKAGES.filter((name) => !known.includes(`Package: ${name}\nStatus: install ok installed\n`));
  if (lacks.length > 0) step(`apt-get, ${lacks.join(", ")}`, () => fill(system));
}

/** Nothing of this system's but Stowage's own variables; results name the commit, which git would tell here. */
function environment() {
  const git = (...words) => execFileSync("git", words, { cwd: checkout, encoding: "utf8" }).trim();
  const dirty = git("status", "--porcelain", "-uno") === "" ? "" : "+";
  return {
    PATH: `${checkout}/node_modules/.bin:/usr/local/bin:/usr/sbin:/usr/bin:/bin`,
    HOME: "/root",
    CHECKOUT: checkout,
    SYSTEM: system,
    STOWAGE_COMMIT: `${git("rev-parse", "--short=12", "HEAD")}${dirty}`,
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("STOWAGE_"))),
    STOWAGE_RELEASE: release,
  };
}
