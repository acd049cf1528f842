export { WORKLOAD_GROUPS, type Elements, type WorkloadGroup } from "./definition.js";
export { WorkloadError } from "./errors.js";
export { PAGED_COPIES, type PagedCopy, type PagedGroup, type PagedPools } from "./pages/paged-copy.js";
export { workloadOfPeerRow, type PeerRow } from "./peers/peer-row.js";
export { relayouts, type DoubleLoop, type Relayout } from "./relayouts.js";
export {
  describeWorkload,
  nearestPackedBytes,
  workload,
  workloadNames,
  type Workload,
  type WorkloadDescription,
  type WorkloadOptions,
} from "./workload.js";
