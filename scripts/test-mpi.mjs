// Tests of what depends on an MPI, with those of a release of Debian, and a soak of unmodified programs:
// npm run test:mpi -- bookworm|trixie|sid [STEP...|PATH...]
// Another release than this system's is made and entered by scripts/in-debian.mjs, built sources and all. Steps are
// mpi-abi, mpi-bridge, interposer, overheads, soak and tools; each writes what it found, with its date and commit, into
// results/mpis, a file for each MPI, of which scripts/mpi-matrix.mjs makes a table. PATHs name the tests of a run that
// writes nothing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SUITES } from "./mpi-suites.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [, self, release, ...paths] = process.argv;
const RELEASES = ["bookworm", "trixie", "sid"];
/** Those that try a library of the standard's ABI where STOWAGE_TEST_ABI=standard asks for one. */
const OF_LIBRARIES = ["mpi-bridge", "overheads"];
const MESSAGES = process.env["STOWAGE_SOAK_MESSAGES"] ?? "100000";
/** How a test's name says which MPI it is about. */
const FAMILIES = { openmpi: /open-?\s?mpi/i, mpich: /mpich/i };

function fail(reason) {
  console.error(`test-mpi: ${reason}`);
  process.exit(1);
}

/** scripts/in-debian.mjs says it of its systems: sid has the codename of the release that it will be. */
function codename() {
  if (process.env["STOWAGE_RELEASE"] !== undefined) return process.env["STOWAGE_RELEASE"];
  const told = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  return /^VERSION_CODENAME=(\w+)/m.exec(told)?.[1];
}

/** This script again, in a system of that release. */
function within(name) {
  const words = [join(root, "scripts", "in-debian.mjs"), name, "node", self, name, ...paths];
  return spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
}

/** What vitest prints goes on; its report is read. */
function vitest(filters, environment = {}) {
  const report = join(root, "tmp", `test-mpi-${release}.json`);
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const words = ["run", "--silent=passed-only", "--reporter=default", "--reporter=json", `--outputFile=${report}`];
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...words, ...filters], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
  return { status: status ?? 1, files };
}

/** Each installed library, told by a process of its own: no two MPIs can share one. */
function librariesHere() {
  const listing = `
    import { familyOfLibrary, findMpis, isStandardLibrary } from "@stowage/mpi-abi";
    const path = findMpis({ ...process.env, STOWAGE_MPI: "" });
    const row = (path) => ({ path, family: familyOfLibrary(path), isStandard: isStandardLibrary(path) });
    console.log(JSON.stringify(path.map(row)));`;
  const saying = `
    import { loadMpi } from "@stowage/mpi-abi";
    console.log(loadMpi(process.argv[1]).name);
    process.exit(0);`;
  return JSON.parse(node(listing)).map((each) => ({ ...each, name: node(saying, each.path) }));
}

/** Within a package that depends on mpi-abi: a module without a file resolves from the working directory. */
function node(source, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source, ...words], {
    cwd: join(root, "packages", "mpi-bridge"),
    encoding: "utf8",
  });
  if (status !== 0) fail(`an MPI: expected its name, got ${stderr.trim()}`);
  return stdout.trim();
}

const countOf = (tests) => ({
  passed: tests.filter(({ status }) => status === "passed").length,
  failed: tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName.trim()),
  skipped: tests.filter(({ status }) => status !== "passed" && status !== "failed").length,
});

/** The MPI that a test's name or file names first: `openmpi`, `openmpi-abi`, `standard-open-mpi`. */
const NAMED = /(standard-)?(open-?\s?mpi|mpich)(-abi)?/i;

/** Tests of one run that are about one library, of its own ABI or the standard's. */
function testsOf({ files, isStandard: isStandardRun }, { family, isStandard }) {
  return files
    .flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ file: name, ...test })))
    .filter(({ file, fullName }) => {
      const [, before, named, behind] = NAMED.exec(fullName) ?? NAMED.exec(file.split("/").at(-1)) ?? [];
      if (named === undefined || !FAMILIES[family].test(named)) return false;
      const ofFile = /^standard-/.test(file.split("/").at(-1));
      return (isStandardRun || ofFile || before !== undefined || behind !== undefined) === isStandard;
    });
}

/** Programs of the command line with each library: what they say of it. */
function toolsOf({ path, name }) {
  const run = (...words) =>
    spawnSync(process.execPath, [join(root, "packages/cli/bin/stowage.js"), ...words], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, STOWAGE_MPI: path, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
    });
  const named = ({ status, stdout }) => status === 0 && stdout.includes(name);
  return {
    peers: named(run("bench", "vector-8@64KiB", "--peers", "--budget", "5")),
    overheads: named(run("overheads", "waitany", "--mpi", path, "--quick", "--despite-load")),
  };
}

function soak() {
  const file = join(root, "tmp", `soak-${release}.json`);
  const words = [join(root, "packages/interposer/checks/soak.mjs"), "--messages", MESSAGES, "--json", file];
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" });
  return { status: status ?? 1, rows: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).rows : [] };
}

const COMMIT = process.env["STOWAGE_COMMIT"] ?? git("rev-parse", "--short=12", "HEAD");
const RESULTS = join(root, "results", "mpis");
const now = () => ({ date: new Date().toISOString(), commit: COMMIT });

/** Each step's findings by library, and whether all is as it should be. */
const STEPS = {
  ...Object.fromEntries(Object.keys(SUITES).map((suite) => [suite, (libraries) => suiteOf(suite, libraries)])),
  soak: soaks,
  tools: (libraries) => {
    const found = libraries.map((library) => ({ tools: { ...toolsOf(library), ...now() } }));
    return { found, isRight: found.every(({ tools }) => tools.peers && tools.overheads) };
  },
};

function suiteOf(suite, libraries) {
  const runs = [{ isStandard: false, ...vitest(SUITES[suite]) }];
  if (OF_LIBRARIES.includes(suite) && libraries.some(({ isStandard }) => isStandard))
    runs.push({ isStandard: true, ...vitest(SUITES[suite], { STOWAGE_TEST_ABI: "standard" }) });
  const found = libraries.map((library) => {
    const tests = runs.flatMap((run) => testsOf(run, library));
    return tests.length === 0 ? {} : { suites: { [suite]: { ...countOf(tests), ...now() } } };
  });
  return { found, isRight: runs.every(({ status }) => status === 0) };
}

function soaks(libraries) {
  const { status, rows } = soak();
  const found = libraries.map(({ family, isStandard }) => {
    const row = rows.find(({ mpi }) => mpi.startsWith(`${family}-`) && mpi.endsWith("-abi") === isStandard);
    return row === undefined ? {} : { soak: { ...row, ...now() } };
  });
  return { found, isRight: status === 0 };
}

/** What a step found takes the place of what it found before; an MPI's file is kept whole after each. */
function keep({ name, path, family, isStandard }, found) {
  const file = join(RESULTS, `${name}.json`);
  const old = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const command = `npm run test:mpi -- ${release}`;
  const head = { schema: "stowage-mpi/1", name, command, release, node: process.version, path, family, isStandard };
  const suites = { ...old.suites, ...found.suites };
  writeFileSync(file, `${JSON.stringify({ ...old, ...head, ...found, suites }, null, 1)}\n`);
}

function run(steps) {
  const libraries = librariesHere();
  mkdirSync(RESULTS, { recursive: true });
  let isRight = true;
  for (const step of steps) {
    const made = STEPS[step](libraries);
    libraries.forEach((library, i) => keep(library, made.found[i]));
    isRight &&= made.isRight;
  }
  console.log(`test-mpi: ${RESULTS}`);
  return isRight ? 0 : 1;
}

function git(...words) {
  return spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout.trim();
}

if (!RELEASES.includes(release)) fail(`expected one of ${RELEASES.join(", ")}, got ${release ?? "none"}`);
if (codename() !== release) process.exit(within(release));
const areSteps = paths.every((each) => each in STEPS);
process.exit(areSteps ? run(paths.length > 0 ? paths : Object.keys(STEPS)) : vitest(paths).status);
