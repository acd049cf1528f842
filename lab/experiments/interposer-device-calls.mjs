import { rowsTable } from "@stowage/bench/results";
import { deviceExperiment } from "../parts/device-programs.mjs";

export default deviceExperiment({
  name: "interposer-device-calls",
  question: "What do the driver's calls cost that the interposer makes for each device buffer?",
  kind: "figures",
  program: "device-calls",
  compiler: "gcc",
  trial: "a GPU",
  runs: () => [{ launches: [{ words: [] }] }],
  rowsOf: ([figures]) =>
    Object.entries(figures).map(([workload, leastNs]) => ({ workload, contender: "driver", leastNs })),
  text: rowsTable,
});
