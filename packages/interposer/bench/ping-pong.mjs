// Ping-pong of every DDTBench type between two ranks, from 1 KiB to 1 MiB: the MPI's own packing, ours, and contiguous
// bytes of that size in turns within one pair of processes. MPICH as it comes, without the variable that our library
// sets for a process, is a pair of its own, which takes turns with the other, some cells at a time.
// node packages/interposer/bench/ping-pong.mjs [--mpi openmpi|mpich|openmpi-abi|mpich-abi, the last two of the
// standard's ABI] [--only PREFIX] [--fragment BYTES, of Open MPI's shared memory] [--json FILE]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeType } from "@stowage/backend-api";
import { commitHash, scriptCommand } from "@stowage/bench";
import { buildLibrary, startService } from "@stowage/interposer";
import { currentLoad } from "@stowage/overheads";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import { AS_ROOT, mpiNamed, releaseOf } from "./installed-mpis.mjs";

const { values: options } = parseArgs({
  options: {
    mpi: { type: "string", default: "openmpi" },
    json: { type: "string" },
    only: { type: "string", default: "" },
    fragment: { type: "string", default: "" },
    sizes: { type: "string", default: "1024,8192,65536,1048576" },
    samples: { type: "string", default: "9" },
    microseconds: { type: "string", default: "800" },
  },
});
const fragment = options.fragment === "" ? [] : ["--mca", "btl_vader_max_send_size", options.fragment];
const RANKS = 2;
/** So many cells of one pair of processes, then of the other. */
const CELLS_A_TURN = 16;
const here = fileURLToPath(new URL(".", import.meta.url));
const runtime = join(here, "../../../runtime");
const mpi = mpiNamed(options.mpi);
const BOUND = { openmpi: ["--bind-to", "core", ...fragment], mpich: ["-bind-to", "core"] };
const launch = [...mpi.launch, ...BOUND[mpi.family], "-n", String(RANKS)];

function run([command, ...args], env = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env, maxBuffer: 2 ** 28 });
  if (status !== 0)
    throw new Error(
      `${command}: expected to end with 0, got ${status}: ${stderr.trim().split("\n").slice(-3).join(" ")}`,
    );
  return stdout;
}

/** Every type once: workloads of several numbers may be one at a small size. */
function cells(folder) {
  const seen = new Set();
  const lines = [];
  for (const name of workloadNames("ddtbench").filter((each) => each.startsWith(options.only))) {
    for (const size of options.sizes.split(",").map(Number)) {
      const { datatype, count, packedBytes } = workload(name, { packedBytes: nearestPackedBytes(name, size) });
      const path = join(folder, `${lines.length}.type`);
      if (packedBytes < size / 2 || packedBytes > size * 2 || seen.has(`${name} ${packedBytes}`)) continue;
      seen.add(`${name} ${packedBytes}`);
      writeFileSync(path, describeType(datatype));
      lines.push(`${name}@${size} ${count} ${path}`);
    }
  }
  return lines;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const geometricMean = (values) => Math.exp(values.reduce((sum, each) => sum + Math.log(each), 0) / values.length);

const linesOf = (output) => output.trim().split("\n").map(JSON.parse);
const spreadOf = (ns) => ({ medianNs: median(ns), minNs: Math.min(...ns), maxNs: Math.max(...ns) });

/** Of a cell in a process with our library, and in one without. */
function rowOf({ name: both, bytes, count, verified, share, contiguousShare, ...times }, without) {
  const [name, size] = both.split("@");
  const cell = {
    workload: name,
    size: Number(size),
    packedBytes: bytes,
    count,
    verified,
    shareOfOurs: share,
    contiguousShare,
  };
  for (const [contender, ns] of Object.entries(times)) cell[contender] = spreadOf(ns);
  // The least times: what another process, or the other rank's processor, took from a sample is in neither.
  const timesAsFast = ({ minNs }) => Number((minNs / cell.ours.minNs).toFixed(3));
  cell.timesAsFast = timesAsFast(cell.native);
  if (without === undefined) return cell;
  cell.asItComes = spreadOf(without.native);
  cell.timesAsFastAsItComes = timesAsFast(cell.asItComes);
  return cell;
}

const folder = mkdtempSync(join(tmpdir(), "stowage-ping-pong-"));
const service = await startService({ ...process.env, STOWAGE_CACHE: join(folder, "cache") });
try {
  const program = join(folder, "ping-pong");
  run([mpi.compiler, "-O2", `-I${runtime}`, "-o", program, join(here, "ping-pong.c"), "-ldl"]);
  const list = join(folder, "list");
  const preload = [`LD_PRELOAD=${(await buildLibrary(mpi.compiler)).path}`, `STOWAGE_CACHE=${join(folder, "cache")}`];
  const args = [program, list, options.samples, options.microseconds];
  const env = { ...process.env, ...AS_ROOT };
  const interposed = [...launch, "env", ...preload, `STOWAGE_SERVICE=${service.path}`, ...args];
  const without = [...launch, ...args];
  const load = await currentLoad(RANKS);
  const lines = cells(folder);
  const rows = [];
  for (let at = 0; at < lines.length; at += CELLS_A_TURN) {
    writeFileSync(list, `${lines.slice(at, at + CELLS_A_TURN).join("\n")}\n`);
    const ours = linesOf(run(interposed, env));
    const plain = mpi.family === "mpich" ? linesOf(run(without, env)) : [];
    rows.push(...ours.map((each, i) => rowOf(each, plain[i])));
  }
  for (const size of options.sizes.split(",").map(Number)) {
    const ratios = rows.filter((row) => row.size === size).map((row) => row.timesAsFast);
    if (ratios.length === 0) continue;
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    console.log(`${options.mpi} ${size}: ${geometricMean(ratios).toFixed(2)} [${least}..${most}] of ${ratios.length}`);
  }
  const all = rows.map((row) => row.timesAsFast);
  const bytesOf = (share) => rows.reduce((sum, row) => sum + row.packedBytes * row[share], 0);
  const bytes = rows.reduce((sum, row) => sum + row.packedBytes, 0);
  const [ourShare, contiguousShare] = ["shareOfOurs", "contiguousShare"].map((share) => bytesOf(share) / bytes);
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  console.log(`${options.mpi}: ${percent(ourShare)} of the bytes by our code, ${percent(contiguousShare)} contiguous`);
  console.log(
    `${options.mpi}: ${geometricMean(all).toFixed(2)}; below 0.97: ${all.filter((each) => each < 0.97).length}`,
  );
  for (const { workload: name, size, timesAsFast } of rows.filter((row) => row.timesAsFast < 1))
    console.log(`  ${name}@${size} ${timesAsFast}`);
  const beside = rows.flatMap(({ timesAsFastAsItComes: times }) => (times === undefined ? [] : [times]));
  if (beside.length > 0)
    console.log(
      `${options.mpi} as it comes: ${geometricMean(beside).toFixed(2)}; below 0.97: ${beside.filter((each) => each < 0.97).length}`,
    );
  if (rows.some((row) => !row.verified)) throw new Error("expected what the MPI receives, got other bytes");
  if (options.json !== undefined) {
    const machine = { cpu: cpus()[0].model, cores: cpus().length, node: process.version };
    const command = scriptCommand();
    const file = {
      schema: "stowage-interposer/2",
      statistic: "timesAsFast: the ratio of least times",
      command,
      date: new Date().toISOString(),
      commit: commitHash(),
      machine,
      load,
      mpi: releaseOf(mpi),
    };
    const written = rows.map((row) => JSON.stringify(row)).join(",\n");
    const besides = beside.length > 0 ? `"geometricMeanAsItComes":${geometricMean(beside).toFixed(3)},` : "";
    writeFileSync(
      options.json,
      `${JSON.stringify(file).slice(0, -1)},"geometricMean":${geometricMean(all).toFixed(3)},${besides}"shareOfOurs":${ourShare.toFixed(4)},"contiguousShare":${contiguousShare.toFixed(4)},"rows":[\n${written}\n]}\n`,
    );
  }
} finally {
  service.process?.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
