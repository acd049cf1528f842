import { describeWorkload, nearestPackedBytes, workload, workloadNames, workloadOfPeerRow } from "@stowage/workloads";
import type { Call } from "./call.js";

export const WORKLOADS: readonly Call[] = [
  ["workload", workload, () => ["NAS_LU_x/0", {}]],
  ["workloadNames", workloadNames, () => ["ddtbench"]],
  ["describeWorkload", describeWorkload, () => ["NAS_LU_x/0"]],
  ["nearestPackedBytes", nearestPackedBytes, () => ["NAS_LU_x/0", 4096]],
  ["workloadOfPeerRow", workloadOfPeerRow, () => [{ type: "vector", params: "1 2 3" }]],
];
