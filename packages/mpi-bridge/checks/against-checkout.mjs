// The bridge of this checkout beside that of another one, both built, and C, under each MPI that is installed:
// messages, requests, persistent operations and collectives of one rank with itself, and of two. Both bridges run in
// one process, over one MPI, and take turns sample by sample; C takes turns with them launch by launch, and each launch
// begins with the other bridge:
// node packages/mpi-bridge/checks/against-checkout.mjs CHECKOUT FILE [--ranks 1,2] [--launches N] [--budget MS]
// [--only PATTERN] [--mpi openmpi,mpich]
// --budget: of each contender, cell and launch. --ranks 1: what the bridge itself takes, on a machine that has other
// work too; two ranks that wait for each other want a processor each. Needs mpicc of both MPIs.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  formatNs,
  grouped,
  heading,
  meanOf,
  removeFolder,
  resultsFile,
  scriptCommand,
  summarise,
} from "@stowage/bench";
import { familyOfLibrary, findMpis, isStandardLibrary } from "@stowage/mpi-abi";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    launches: { type: "string", default: "3" },
    budget: { type: "string", default: "150" },
    ranks: { type: "string", default: "1,2" },
    only: { type: "string", default: "" },
    mpi: { type: "string", default: "openmpi,mpich" },
  },
});
const [checkout, file] = positionals;
if (checkout === undefined) throw new Error("CHECKOUT: expected the folder of another checkout, got none");
const [KIB, MIB] = [2 ** 10, 2 ** 20];
const cell = (kind, title, { bytes, blockBytes, messages = 1, count = 1 }) => {
  const name = `${kind}, ${title}`;
  return { name, kind, bytes, blockBytes, messages, count };
};
const CELLS = [
  cell("ping-pong", "8 B", { bytes: 8 }),
  cell("ping-pong", "1 MiB", { bytes: MIB }),
  cell("ping-pong", "1 KiB in blocks of 8 B", { bytes: KIB, blockBytes: 8 }),
  cell("ping-pong", "64 KiB in blocks of 8 B", { bytes: 64 * KIB, blockBytes: 8 }),
  cell("ping-pong", "64 KiB in blocks of 256 B", { bytes: 64 * KIB, blockBytes: 256 }),
  cell("ping-pong", "1 MiB in blocks of 64 B", { bytes: MIB, blockBytes: 64 }),
  cell("isend, waitAll", "8 of 8 B", { bytes: 8, messages: 8 }),
  cell("isend, waitAll", "8 of 16 KiB in blocks of 8 B", { bytes: 16 * KIB, blockBytes: 8, messages: 8 }),
  cell("isend, waitAll", "4 of 256 KiB in blocks of 64 B", { bytes: 256 * KIB, blockBytes: 64, messages: 4 }),
  cell("persistent", "8 of 8 B", { bytes: 8, messages: 8 }),
  cell("persistent", "8 of 16 KiB in blocks of 8 B", { bytes: 16 * KIB, blockBytes: 8, messages: 8 }),
  cell("bcast", "8 B", { bytes: 8 }),
  cell("bcast", "64 KiB in blocks of 8 B", { bytes: 64 * KIB, blockBytes: 8 }),
  cell("allreduce", "8 B", { bytes: 8 }),
  cell("allreduce", "64 KiB", { bytes: 64 * KIB }),
  cell("alltoallv", "of zeros", { bytes: 8, count: 0 }),
  cell("alltoallv", "8 B a rank", { bytes: 8 }),
  cell("alltoallv", "16 KiB a rank in blocks of 8 B", { bytes: 16 * KIB, blockBytes: 8 }),
  cell("alltoallw", "of zeros", { bytes: 8, count: 0 }),
  cell("alltoallw", "8 B a rank", { bytes: 8 }),
].filter(({ name }) => new RegExp(options.only).test(name));

const FAMILIES = {
  openmpi: { compiler: "mpicc.openmpi", launch: ["mpirun.openmpi", "--bind-to", "none"] },
  mpich: { compiler: "mpicc.mpich", launch: ["mpiexec.mpich"] },
};
const libraries = findMpis({ ...process.env, STOWAGE_MPI: "" }).filter((path) => !isStandardLibrary(path));
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-bridge-"));
const builds = { before: resolve(checkout), after: fileURLToPath(new URL("../../..", import.meta.url)) };

function run([command, ...args], environment = {}) {
  const root = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, ...root, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout;
  throw new Error(`${command}: expected to end with 0, got ${status}: ${`${stderr}${stdout}`.trim().slice(0, 2000)}`);
}

const linesOf = (output) => {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line));
};

/** What each launch found of a cell and contender. */
const found = [];

const out = resultsFile(file, "FILE");
const head = { ...heading(scriptCommand()), schema: "stowage-bridge/1" };
try {
  for (const [family, { compiler, launch }] of Object.entries(FAMILIES)) {
    const path = libraries.find((each) => familyOfLibrary(each) === family);
    if (path === undefined || !options.mpi.split(",").includes(family)) continue;
    const program = join(folder, family);
    run([compiler, "-O2", "-o", program, join(here, "against-checkout.c")]);
    const words = CELLS.flatMap(({ kind, bytes, blockBytes = 0, messages, count }) =>
      [kind, bytes, blockBytes, messages, count].map(String),
    );
    for (const [at, ranks] of launches()) {
      const started = [...launch, "-n", ranks];
      const mpi = `${family}, ${ranks} ${ranks === "1" ? "rank" : "ranks"}`;
      const c = linesOf(run([...started, program, options.budget, ...words]));
      found.push(...c.map((times, i) => ({ mpi, workload: CELLS[i].name, contender: "c", ...times })));
      const first = at % 2 === 0 ? "before" : "after";
      const given = [JSON.stringify(CELLS), options.budget, first];
      for (const [name, build] of Object.entries(builds)) given.push(`${name}=${build}`);
      const command = [...started, process.execPath, join(here, "against-checkout-ranks.mjs"), ...given];
      const lines = linesOf(run(command, { STOWAGE_MPI: path }));
      found.push(...lines.map(({ cell: workload, ...times }) => ({ mpi, workload, ...times })));
      out.keep(head, rowsOf());
    }
  }
} finally {
  await removeFolder(folder);
}
out.finish(head, rowsOf());
print(rowsOf());

function* launches() {
  for (let at = 0; at < Number(options.launches); at++) for (const ranks of options.ranks.split(",")) yield [at, ranks];
}

/** The least of all launches, and the median of their medians. */
function rowsOf() {
  const cells = grouped(found, ({ mpi, workload, contender }) => JSON.stringify([mpi, workload, contender]));
  return [...cells.values()].map((launches) => ({
    ...launches[0],
    medianNs: summarise(launches.map(({ medianNs }) => medianNs)).medianNs,
    minNs: Math.min(...launches.map(({ minNs }) => minNs)),
    maxNs: Math.max(...launches.map(({ maxNs }) => maxNs)),
    runs: launches.reduce((sum, { runs }) => sum + runs, 0),
    verified: true,
    launches: launches.map(({ medianNs, minNs }) => ({ medianNs, minNs })),
  }));
}

function print(rows) {
  for (const mpi of new Set(rows.map((row) => row.mpi))) {
    const of = (workload, contender) =>
      rows.find((row) => row.mpi === mpi && row.workload === workload && row.contender === contender);
    const mean = (name, pairs) => {
      const ratio = (what) => meanOf(pairs.map(([a, b]) => a[what] / b[what])).geometricMean.toFixed(3);
      console.log(
        `${mpi}: ${name}, ${pairs.length} cells: ${ratio("minNs")} by minima, ${ratio("medianNs")} by medians`,
      );
    };
    const typed = CELLS.filter(({ blockBytes }) => blockBytes !== undefined).map(({ name }) => name);
    const all = CELLS.map(({ name }) => name);
    const own = (name, build) => of(name, build) ?? of(name, `${build} auto`);
    mean(
      "before over after",
      all.map((name) => [own(name, "before"), own(name, "after")]),
    );
    if (typed.length > 0)
      mean(
        "native before over after",
        typed.map((name) => [of(name, "before native"), of(name, "after native")]),
      );
    for (const build of Object.keys(builds)) {
      mean(
        `Node over C, ${build}`,
        all.map((name) => [own(name, build), of(name, "c")]),
      );
      if (typed.length === 0) continue;
      mean(
        `chosen over native, ${build}`,
        typed.map((name) => [of(name, `${build} auto`), of(name, `${build} native`)]),
      );
    }
    for (const name of all) {
      const [c, before, after] = [of(name, "c"), own(name, "before"), own(name, "after")];
      const ratios = after.launches.map((launch, i) =>
        ["minNs", "medianNs"].map((what) => launch[what] / before.launches[i][what]),
      );
      const least = ratios.map((both) => Math.min(...both));
      const says = least.every((ratio) => ratio > 1.05) ? ", slower in every launch by minima and medians" : "";
      const range = `${Math.min(...least).toFixed(2)} to ${Math.max(...ratios.flat()).toFixed(2)}`;
      console.log(
        `  ${name}: C ${formatNs(c.minNs)}, before ${formatNs(before.minNs)}, after ${formatNs(after.minNs)}; after over before ${range}${says}`,
      );
    }
  }
}
