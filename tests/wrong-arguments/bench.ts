import * as bench from "@stowage/bench";
import type { Call } from "./call.js";
import { rows } from "./subjects.js";

const row = () => ({
  workload: "w",
  count: 1,
  packedBytes: 8,
  direction: "pack",
  route: "host",
  mode: "bound",
  medianNs: 4,
});

export const BENCH: readonly Call[] = [
  ["formatBytes", bench.formatBytes, () => [1536]],
  ["formatNs", bench.formatNs, () => [12_300]],
  ["significant", bench.significant, () => [0.5]],
  ["meanOf", bench.meanOf, () => [[1, 2, 0.5]]],
  ["grouped", bench.grouped, () => [[1, "2", 3], (item: unknown) => typeof item]],
  ["modeOf", bench.modeOf, () => [row()]],
  ["bandwidth", bench.bandwidth, () => [row()]],
  ["cellKey", bench.cellKey, () => [row()]],
  ["parsePackedBytes", bench.parsePackedBytes, () => ["64KiB"]],
  ["namedWorkloads", bench.namedWorkloads, () => [["NAS_LU_x/0", "vector-8@64MiB", "ddtbench"]]],
  ["workloadOfSize", bench.workloadOfSize, () => ["NAS_LU_x/0", 4096]],
  ["workloadSubject", bench.workloadSubject, () => ["NAS_LU_x/0"]],
  ["elementsOf a workload", bench.elementsOf, () => [{ kind: "workload", name: "NAS_LU_x/0" }, 4096]],
  ["elementsOf a document", bench.elementsOf, () => [{ kind: "document", name: "own", document: '"MPI_INT"' }, 4096]],
  ["cellsOf", bench.cellsOf, () => ["rows", rows, 2]],
  ["outputFile", bench.outputFile, () => ["results.json", "results"]],
  ["resultsFile", bench.resultsFile, () => ["results.json", "results"]],
];
