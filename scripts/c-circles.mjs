// Says which folders of libstowage's C and of the interposer's call or read each other in a circle: from each object
// file's symbols, of those that it needs and another defines, for each MPI that is installed. Calls through a pointer
// are none: a folder gives its functions to one that it may call.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MPIS = ["mpicc.openmpi", "mpicc.mpich"].filter((mpi) => spawnSync(mpi, ["--version"]).status === 0);
const FOLDERS = [
  ...["layout", "build", "move", "code", "type"].map((name) => `libstowage/c/${name}`),
  ...[
    "mpi",
    "store",
    "types",
    "tables",
    "choice",
    "packing",
    "job",
    "host",
    "gpu",
    "staged",
    "messages",
    "files",
    "windows",
    "mpi/openmpi",
    "mpi/mpich",
    "hooks",
    "interposed",
  ].map((name) => `interposer/c/${name}`),
];
const at = (folder) => join(root, "packages", folder);
/** A folder sees those of its own library, and the interposer's the code of libstowage. */
const seenBy = (folder) =>
  FOLDERS.filter((other) =>
    folder.startsWith("libstowage") ? other.startsWith("libstowage") : !/^libstowage.*(?<!code)$/.test(other),
  );
const COMMON = ["runtime", "packages/libstowage/include", "packages/libstowage/c"].map((path) => join(root, path));

/** For each folder: which symbols its objects define and which they need. */
function symbolsOf(mpi, folder, work) {
  const includes = [...seenBy(folder).map(at), ...COMMON].map((path) => `-I${path}`);
  const defined = ['-DSTOWAGE_VERSION="0"', `-DSTOWAGE_MPI="${mpi.replace("mpicc.", "")}-0"`];
  const sources = readdirSync(at(folder)).filter((name) => name.endsWith(".c"));
  const needed = new Set();
  const own = new Set();
  for (const source of sources) {
    const object = join(work, "object.o");
    run(mpi, ["-std=gnu11", "-O1", ...defined, ...includes, "-c", "-o", object, join(at(folder), source)]);
    for (const line of run("nm", ["-P", object]).split("\n")) {
      const [name = "", kind = ""] = line.split(" ");
      if (/[Uvw]/.test(kind)) needed.add(name);
      else if (/[TDBRV]/.test(kind)) own.add(name);
    }
  }
  return { folder, needed, own };
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: expected to succeed, got ${stderr.trim()}`);
  return stdout;
}

/** Pairs of folders, each of which reaches the other. */
function circlesOf(all) {
  const next = new Map(
    all.map(({ folder, needed }) => [
      folder,
      all.filter(
        (other) =>
          other.folder !== folder &&
          seenBy(folder).includes(other.folder) &&
          [...needed].some((name) => other.own.has(name)),
      ),
    ]),
  );
  const reached = (from, seen = new Set()) => {
    for (const { folder } of next.get(from)) if (!seen.has(folder)) reached(folder, seen.add(folder));
    return seen;
  };
  return FOLDERS.flatMap((one, i) =>
    FOLDERS.slice(i + 1)
      .filter((other) => reached(one).has(other) && reached(other).has(one))
      .map((other) => `${one} and ${other}`),
  );
}

const work = mkdtempSync(join(tmpdir(), "c-circles-"));
try {
  for (const mpi of MPIS)
    for (const circle of circlesOf(FOLDERS.map((folder) => symbolsOf(mpi, folder, work)))) {
      console.error(`${mpi}: ${circle}: expected one direction, got both`);
      process.exitCode = 1;
    }
} finally {
  rmSync(work, { recursive: true });
}
