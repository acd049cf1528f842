// Compiles the C that is shipped with warnings as errors, for each MPI that is installed, and the public headers as C++
// too. `node scripts/c-warnings.mjs [FLAG...]`: flags take the place of -fsyntax-only (-fanalyzer -O2 -c -o /dev/null).
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What MPI 4.1 deprecates is all that an MPI of before 4.0 has. */
const WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-deprecated-declarations"];
/** In C++ a function that has the name of its structure, as in stat(2), hides that. */
const C_ALONE = ["-Wshadow", "-Wstrict-prototypes"];
/** Leaves out the C++ classes of MPI 2, whose headers warn themselves. */
const NO_CLASSES = ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"];
/** Those of the standard's ABI are where scripts/in-debian.mjs brings them. */
const MPIS = ["mpicc.openmpi", "mpicc.mpich", "mpicc_abi.openmpi", "mpicc_abi.mpich"];
/** What programs include, of C++ too. */
const PUBLIC = ["stowage.h", "stowage_cuda.h"];
const asked = process.argv.slice(2);
const how = asked.length === 0 ? ["-fsyntax-only"] : asked;

const inFolder = (folder, ending) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(root, folder, name));
const foldersIn = (folder) => [
  folder,
  ...readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersIn(join(folder, name))),
];

/** Folders of one library, in the order of their includes: the recorder has rows of its own. */
const INTERPOSER = foldersIn("packages/interposer/c");
const RECORDER = INTERPOSER.filter((folder) => folder.endsWith("/calls"));
const HOOKS = INTERPOSER.filter((folder) => !folder.endsWith("/calls"));
/** libstowage, and what programs include of it. */
const HEADERS = "packages/libstowage/include";
const LIBRARY = foldersIn("packages/libstowage/c");
const included = (folders) => [...folders, "runtime"].map((folder) => `-I${join(root, folder)}`);
const CODE = "packages/libstowage/c/code";
const defined = (mpi) => [
  `-DSTOWAGE_VERSION="0"`,
  `-DSTOWAGE_MPI="${mpi.replace("mpicc.", "")}-0"`,
  `-DSTOWAGE_LIBRARIES=""`,
];

const isHere = (program) => spawnSync(program, ["--version"]).status === 0;
const mpis = MPIS.filter(isHere);
/** The compiler that a wrapper calls, with its words: MPICH's is a shell script, which takes longer than that. */
const behind = (wrapper) => spawnSync(wrapper, ["-show"], { encoding: "utf8" }).stdout.trim().split(/\s+/);
const forMpi = (mpi, folders, includes) => {
  const compiler = behind(mpi);
  return folders.flatMap((folder) =>
    inFolder(folder, ".c").map((file) => [
      ...compiler,
      "-std=gnu11",
      ...C_ALONE,
      ...defined(mpi),
      ...included(includes),
      file,
    ]),
  );
};

const commands = [
  ...inFolder("runtime", ".c").map((file) => ["gcc", "-std=c11", ...C_ALONE, file]),
  ...PUBLIC.map((name) => ["g++", "-std=c++17", "-x", "c++", join(root, "runtime", name)]),
  ...LIBRARY.flatMap((folder) =>
    inFolder(folder, ".c").map((file) => ["gcc", "-std=c11", ...C_ALONE, ...included([...LIBRARY, HEADERS]), file]),
  ),
  ...inFolder(HEADERS, ".h")
    .filter((file) => !file.endsWith("mpi.h"))
    .map((file) => ["g++", "-std=c++17", ...included([HEADERS]), "-x", "c++", file]),
  ...inFolder(HEADERS, ".hpp").map((file) => ["g++", "-std=c++20", ...included([HEADERS]), "-x", "c++", file]),
  ...mpis.flatMap((mpi) => [
    ...forMpi(mpi, HOOKS, [...HOOKS, CODE]),
    ...forMpi(mpi, RECORDER, [...RECORDER, ...HOOKS, CODE]),
    ...forMpi(mpi, ["packages/overheads/c", "packages/cli/src/pingpong"], []),
    [mpi, "-std=gnu11", ...C_ALONE, ...included([]), "-x", "c", join(root, "runtime/stowage_mpi.h")],
    [mpi, "-std=gnu11", ...C_ALONE, ...included([HEADERS]), "-x", "c", join(root, HEADERS, "stowage_from_mpi.h")],
    ...[mpi.replace("mpicc", "mpicxx")]
      .filter(isHere)
      .map((mpicxx) => [
        ...[mpicxx, "-std=c++17", ...NO_CLASSES, ...included([]), "-x", "c++"],
        join(root, "runtime/stowage_mpi.h"),
      ]),
  ]),
];

/** As many at once as there are processors; the shell starts them. */
function runAll() {
  const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
  const lines = commands.map(([compiler, ...words]) => [compiler, ...WARNINGS, ...how, ...words].map(quoted).join(" "));
  const options = { input: lines.join("\n"), encoding: "utf8", maxBuffer: 2 ** 26, cwd: tmpdir() };
  return spawnSync("xargs", ["-P", String(availableParallelism()), "-d", "\\n", "-n", "1", "sh", "-c"], options);
}

const { status, stderr } = runAll();
if (mpis.length === 0) console.error("C: expected an MPI's compiler, got none: the interposer is not compiled");
if (status !== 0) console.error(stderr.replaceAll(`${root}/`, ""));
process.exitCode = status === 0 && mpis.length > 0 ? 0 : 1;
