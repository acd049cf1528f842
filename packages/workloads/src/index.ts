export { WORKLOAD_GROUPS, type Elements, type WorkloadGroup } from "./definition.js";
export { WorkloadError } from "./errors.js";
export { workloadOfPeerRow, type PeerRow } from "./peers/peer-row.js";
export {
  describeWorkload,
  nearestPackedBytes,
  workload,
  workloadNames,
  type Workload,
  type WorkloadDescription,
  type WorkloadOptions,
} from "./workload.js";
