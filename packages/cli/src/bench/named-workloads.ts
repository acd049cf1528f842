import {
  nearestPackedBytes,
  workload,
  WORKLOAD_GROUPS,
  workloadNames,
  type Workload,
  type WorkloadGroup,
} from "@stowage/workloads";

/** The workloads that arguments name: each a workload, a group, or a family such as MILC_su3_zdown. */
export function namedWorkloads(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    if (isGroup(name)) return workloadNames(name);
    const family = workloadNames().filter((other) => other.startsWith(`${name}/`));
    return family.length > 0 ? family : [workload(name).name];
  });
}

const isGroup = (name: string): name is WorkloadGroup => (WORKLOAD_GROUPS as readonly string[]).includes(name);

/** A workload at the size it was published with, or at the nearest to `packedBytes` that it can have. */
export function workloadOfSize(name: string, packedBytes: number | undefined): Workload {
  if (packedBytes === undefined) return workload(name);
  return workload(name, { packedBytes: nearestPackedBytes(name, packedBytes) });
}
