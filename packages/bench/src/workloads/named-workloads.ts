import { ArgumentError, requireArray } from "@stowage/ir";
import {
  nearestPackedBytes,
  workload,
  WORKLOAD_GROUPS,
  workloadNames,
  type Workload,
  type WorkloadGroup,
} from "@stowage/workloads";
import { requireNumber, requireText } from "../require-value.js";
import { PACKED_BYTES_EXPECTED, parsePackedBytes } from "./packed-bytes.js";
import { PEERS_GPU } from "./peers-gpu.js";

/**
 * The workloads that arguments name: each is a workload, a group, a family such as MILC_su3_zdown, or a workload at a
 * size of its own, such as vector-8@64MiB. Throws an ArgumentError for an unknown name or a wrong size.
 */
export function namedWorkloads(names: readonly string[]): readonly string[] {
  return requireArray(names, "names", "a list of workloads").flatMap((name) => {
    requireText(name, "workload");
    if (name === PEERS_GPU.group) return PEERS_GPU.workloads;
    if (isGroup(name)) return workloadNames(name);
    if (name.includes("@")) return [requireSized(name)];
    const family = workloadNames().filter((other) => other.startsWith(`${name}/`));
    return family.length > 0 ? family : [workload(name).name];
  });
}

const isGroup = (name: string): name is WorkloadGroup => (WORKLOAD_GROUPS as readonly string[]).includes(name);

/**
 * A workload at the size that its name ends in (`vector-8@64MiB`); else at the size nearest to `packedBytes` that it
 * can have; without either, as published. Throws an ArgumentError for an unknown name or a wrong size.
 */
export function workloadOfSize(name: string, packedBytes: number | undefined): Workload {
  const [base = name, own] = requireText(name, "workload").split("@");
  if (packedBytes !== undefined) requireNumber(packedBytes, "packed bytes");
  const size = own === undefined ? packedBytes : sizeBehind(name, own);
  if (size === undefined) return workload(base);
  return workload(base, { packedBytes: nearestPackedBytes(base, size) });
}

function requireSized(name: string): string {
  const [base = "", size = ""] = name.split("@");
  sizeBehind(name, size);
  return `${workload(base).name}@${size}`;
}

function sizeBehind(name: string, text: string): number {
  const size = parsePackedBytes(text);
  if (size === undefined) throw new ArgumentError(name, `${PACKED_BYTES_EXPECTED} behind @`, text || "nothing");
  return size;
}
