// The profiler's counters of single launches, with caches as repeated calls leave them: node counters.mjs OUT.json
// [PATTERN]. Needs Nsight Compute's ncu on the PATH; runs itself under it.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { openCuda, openSimulatedCuda, profiled } from "@stowage/cuda-driver";
import { canonicalise, lower } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cellsOf, heading, workloadOfSize } from "@stowage/bench";
import { CellInput, Gpu } from "@stowage/bench/device";
import { COUNTED, METRICS } from "./counted.mjs";
import { TIERS } from "./tunings.mjs";

const PROFILER = "ncu";

const [out = "counters.json", pattern = ""] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const launches = COUNTED.filter(({ name }) => name.includes(pattern)).flatMap((each) =>
  each.tiers.map((label) => ({ ...each, contender: `cuda-generic${label}`, tuning: TIERS[label] })),
);
const simulated = process.argv.includes("--simulated");
if (process.argv.includes("--child") || simulated) runAll();
else countAll();

function runAll() {
  const gpu = new Gpu(simulated ? openSimulatedCuda() : openCuda());
  gpu.warmUp();
  for (const { name, direction, tuning, l2FetchBytes } of launches) {
    const { datatype, count } = workloadOfSize(name);
    const [cell] = cellsOf(name, datatype, count);
    const before = gpu.context.limit("l2FetchBytes");
    if (l2FetchBytes !== undefined) gpu.context.setLimit("l2FetchBytes", l2FetchBytes);
    const input = new CellInput(gpu, cell);
    const layout = canonicalise(lower(datatype));
    const backend = new CudaGenericBackend({ driver: gpu.driver, tuning });
    const packing = direction === "pack";
    const move = packing ? packMove(layout) : unpackMove(layout);
    const kernel = backend.load(backend.compile([move], conditions({ sourceKind: "device", targetKind: "device" })));
    const scattered = { memory: input.scattered, originBytes: cell.originBytes };
    const packed = { memory: input.packed("device"), originBytes: 0 };
    const [source, target] = packing ? [scattered, packed] : [packed, scattered];
    const plan = kernel.bind([{ source, target, count, first: 0, length: count * layout.sizeBytes }]);
    for (let i = 0; i < 5; i++) plan.run(gpu.stream).wait();
    profiled(gpu.context, () => plan.run(gpu.stream).wait());
    if (l2FetchBytes !== undefined) gpu.context.setLimit("l2FetchBytes", before);
    for (const held of [plan, kernel, input]) held[Symbol.dispose]();
  }
}

function countAll() {
  const log = `${out}.csv`;
  // Clocks and caches stay as they are: what is counted is a call among others like it.
  const ncu = [
    "--profile-from-start",
    "off",
    "--clock-control",
    "none",
    "--cache-control",
    "none",
    "--csv",
    "--page",
    "raw",
    "--log-file",
    log,
  ];
  const child = [
    process.execPath,
    fileURLToPath(import.meta.url),
    out,
    ...(pattern === "" ? [] : [pattern]),
    "--child",
  ];
  const { status } = spawnSync(PROFILER, [...ncu, "--metrics", Object.values(METRICS).join(), ...child], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`ncu: expected status 0, got ${status}: ${readFileSync(log, "utf8").slice(-2000)}`);
  const [names, , ...counted] = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.startsWith('"'))
    .map(fieldsOf);
  if (counted.length !== launches.length)
    throw new Error(`ncu: expected ${launches.length} launches, got ${counted.length}`);
  const rows = launches.map(({ name, direction, contender, l2FetchBytes }, i) => {
    const figures = Object.entries(METRICS).map(([label, metric]) => [
      label,
      Number(counted[i][names.indexOf(metric)]?.replaceAll(",", "")),
    ]);
    return {
      workload: workloadOfSize(name).name,
      packedBytes: workloadOfSize(name).packedBytes,
      direction,
      contender,
      l2FetchBytes,
      ...Object.fromEntries(figures),
    };
  });
  const gpu = new Gpu(openCuda());
  const head = {
    ...heading("node packages/backend-cuda-generic/bench/counters.mjs OUT", gpu.machine),
    schema: "stowage-counters/1",
    metrics: METRICS,
  };
  writeFileSync(out, `${JSON.stringify({ ...head, rows }, null, 1)}\n`);
  for (const row of rows) console.log(Object.values(row).join(" "));
}

/** A line of quoted fields. */
function fieldsOf(line) {
  return [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, field]) => field);
}
