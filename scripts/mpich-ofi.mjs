// Builds MPICH with the device ch4:ofi from this system's Debian source package, whose own device is ch4:ucx, into
// tmp/mpich-ofi/VERSION of this checkout: an MPI inside which nothing can be packed, as Cray's and Intel's. On another
// release: node scripts/in-debian.mjs RELEASE node scripts/mpich-ofi.mjs. Says what it does and how long that took, and
// at the end where the compiler wrapper is. Where it was interrupted, the next run goes on. As root: apt-get installs
// what the build needs. Sources are fetched once; where the archive lacks them, put them unpacked into
// tmp/mpich-ofi/source-VERSION. Left out of what Debian builds: Fortran, C++, MPI-IO and static libraries.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasLibrary, hasProgram, installMissing } from "./install-missing.mjs";

const place = join(dirname(dirname(fileURLToPath(import.meta.url))), "tmp", "mpich-ofi");
const SOURCES = "deb-src http://deb.debian.org/debian";
/** As debian/rules has them, but for the device, its library and what is left out. */
const FLAGS = [
  "--with-device=ch4:ofi --with-libfabric=/usr --with-pm=hydra --with-hwloc-prefix=/usr --with-wrapper-dl-type=none",
  "--enable-shared --without-yaksa --disable-static --disable-fortran --disable-cxx --disable-romio",
].flatMap((words) => words.split(" "));
/** Debian's: optimised, and its names of libraries. */
const VARIABLES = { MPICHLIB_CFLAGS: "-g -O2", MPILIBNAME: "mpich", BASH_SHELL: "/bin/bash" };

if (process.getuid?.() !== 0) fail("expected root, which may install packages, got another user");
mkdirSync(place, { recursive: true });
installNeeds();
const version = installedVersion();
const source = join(place, `source-${version}`);
const build = join(place, `build-${version}`);
const prefix = join(place, version);
const compiler = join(prefix, "bin/mpicc");
if (!existsSync(compiler)) {
  if (!existsSync(join(source, "configure"))) step("apt-get source", fetchSource);
  if (!existsSync(join(build, "configured"))) step("configure", configure);
  step("make", () => run("make", [`-j${availableParallelism()}`], build));
  step("make install", () => run("make", ["install"], build));
}
console.log(compiler);

function fail(reason) {
  console.error(`mpich-ofi: ${reason}`);
  process.exit(1);
}

function step(what, work) {
  console.error(`mpich-ofi: ${version}: ${what} ...`);
  const begun = Date.now();
  work();
  console.error(`mpich-ofi: ${version}: ${what}: ${Math.round((Date.now() - begun) / 1000)} s`);
}

function run(program, args, cwd, env = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) fail(`${program} ${args[0] ?? ""}: expected to end with 0, got ${error?.message ?? status}`);
}

function installNeeds() {
  const needs = [
    ["dpkg-dev", hasProgram("dpkg-source")],
    ["make", hasProgram("make")],
    ["gcc", hasProgram("gcc")],
    ["xz-utils", hasProgram("xz")],
    ["python3", hasProgram("python3")],
    ["libfabric-dev", hasLibrary("libfabric.so")],
    ["libhwloc-dev", hasLibrary("libhwloc.so")],
  ];
  installMissing(
    needs.map(([name, isInstalled]) => ({ name, isInstalled, packages: [name] })),
    "there is no ch4:ofi",
  );
}

/** Of the MPICH that Debian installs, whose sources are built. */
function installedVersion() {
  const { stdout } = spawnSync("mpichversion", { encoding: "utf8" });
  const found = /^MPICH Version:\s+(\S+)/m.exec(stdout ?? "")?.[1];
  return found ?? fail("expected Debian's mpich, whose version is built, got none");
}

/** By lists of its own: the system's name no sources. A mirror that was kept may be past its date. */
function fetchSource() {
  const lists = join(place, "lists");
  const named = join(place, "sources.list");
  const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "sid";
  mkdirSync(join(lists, "partial"), { recursive: true });
  writeFileSync(named, `${SOURCES} ${isSid() ? "sid" : release} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${named}`,
    "Dir::Etc::sourceparts=-",
    `Dir::State::lists=${lists}`,
    "Acquire::Check-Valid-Until=false",
  ].flatMap((option) => ["-o", option]);
  const work = join(place, `fetched-${version}`);
  mkdirSync(work, { recursive: true });
  run("apt-get", [...options, "-q", "update"], work);
  run("apt-get", [...options, "-q", "source", "mpich"], work);
  const unpacked = readdirSync(work).find((name) => existsSync(join(work, name, "configure")));
  if (unpacked === undefined) fail(`apt-get source mpich: expected sources in ${work}, got none`);
  renameSync(join(work, unpacked), source);
}

/** Testing and sid have one codename; in-debian.mjs says which it is. */
function isSid() {
  return process.env["STOWAGE_RELEASE"] === "sid";
}

function configure() {
  mkdirSync(build, { recursive: true });
  run(join(source, "configure"), [`--prefix=${prefix}`, ...FLAGS], build, VARIABLES);
  writeFileSync(join(build, "configured"), "");
}
