import { workloadOfSize } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { profiled } from "@stowage/cuda-driver";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COUNTED, METRICS } from "../parts/counted.mjs";
import { backendOn, cellsOn, fetching, noteMachine, onGpu, SIMULATED } from "../parts/device.mjs";
import { backendsIn, TIERS } from "../parts/generic-tunings.mjs";
import { output } from "../parts/programs.mjs";

const LAB = fileURLToPath(new URL("../bin/lab.mjs", import.meta.url));
const REPEATS = 5;
// Clocks and caches stay as they are: what is counted is a call among others like it.
const KEPT = ["--profile-from-start", "off", "--clock-control", "none", "--cache-control", "none"];

const launchesOf = ({ pattern = "", simulated }) =>
  COUNTED.filter(({ name }) => name.includes(pattern)).flatMap(({ name, tiers, ...rest }) =>
    // A simulated device takes the shortest of a workload.
    tiers.map((tier) => ({ ...rest, name: simulated ? name.replace(/@.*/, "@1KiB") : name, tier })),
  );

/** Runs this experiment's launches under Nsight Compute: a record of its metrics for each, by the profiler's names. */
function counted({ pattern = "" }, launches) {
  const folder = mkdtempSync(join(tmpdir(), "stowage-counters-"));
  const log = join(folder, "counted.csv");
  const child = [process.execPath, LAB, "run", "generic-counters", "--launch", `--pattern=${pattern}`];
  const format = ["--csv", "--page", "raw", "--log-file", log, "--metrics", Object.values(METRICS).join()];
  try {
    output("ncu", [...KEPT, ...format, ...child]);
    // Names, units, and a line a launch, of quoted fields.
    const [names, , ...lines] = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith('"'))
      .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, field]) => field));
    if (lines.length !== launches.length)
      throw new Error(`ncu: expected ${launches.length} launches, got ${lines.length}`);
    return lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i]])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const figuresOf = (record) =>
  Object.fromEntries(
    Object.entries(METRICS).map(([label, metric]) => [label, Number(record[metric]?.replaceAll(",", ""))]),
  );

export default {
  name: "generic-counters",
  question: "What does the profiler count of single launches, with caches as repeated calls leave them?",
  kind: "figures",
  options: {
    ...SIMULATED,
    pattern: { kind: "text", says: "workloads whose name has this in it", byDefault: "" },
    launch: { kind: "flag", says: "the launches alone, for the profiler, which runs them so" },
  },
  trial: { simulated: true, pattern: "indexed" },
  *cells(given, lab) {
    const launches = launchesOf(given);
    if (!given.launch && !given.simulated) {
      const records = counted(given, launches);
      noteMachine(given, lab);
      lab.note({ metrics: METRICS });
      for (const [i, { name, direction, tier, l2FetchBytes }] of launches.entries()) {
        const { name: workload, packedBytes } = workloadOfSize(name);
        yield { label: { workload, packedBytes, direction, l2FetchBytes }, tier, figures: figuresOf(records[i]) };
      }
      return;
    }
    yield* onGpu(given, lab, function* (gpu) {
      for (const { name, direction, tier, l2FetchBytes } of launches) {
        const { name: workload, datatype, count } = workloadOfSize(name);
        const cells = cellsOn(gpu, workload, datatype, { count, directions: [direction], l2FetchBytes });
        for (const cell of fetching(gpu, l2FetchBytes, cells)) yield { ...cell, tier };
      }
    });
  },
  contenders(cell) {
    if (cell.figures !== undefined) return {};
    const [backend] = backendsIn(cell.gpu.driver, { [cell.tier]: TIERS[cell.tier] });
    return { [backend.name]: backendOn(cell, backend) };
  },
  run(entrants, { tier, figures, gpu }) {
    for (const { check, run } of Object.values(entrants)) {
      check();
      for (let i = 0; i < REPEATS; i++) run();
      profiled(gpu.context, run);
      check();
    }
    return { [`cuda-generic${tier}`]: figures ?? {} };
  },
  rows: ({ label }, measured) =>
    Object.entries(measured).map(([contender, figures]) => ({ ...label, contender, ...figures })),
  text: rowsTable,
};
