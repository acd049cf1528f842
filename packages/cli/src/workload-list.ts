import { formatBytes, PEERS_GPU } from "@stowage/bench";
import { WORKLOAD_GROUPS, workload, workloadNames } from "@stowage/workloads";
import { print, printJson } from "./print.js";

/** Every name that a TYPE argument may be, by group. */
export function printWorkloads(json: boolean): void {
  const groups = WORKLOAD_GROUPS.map((group) => ({ group, names: workloadNames(group) }));
  if (json) return printJson(Object.fromEntries(groups.map(({ group, names }) => [group, names])));
  for (const { group, names } of groups) {
    print(group);
    for (const name of names) print(`  ${name.padEnd(28)} ${formatBytes(workload(name).packedBytes)}`);
  }
  print(`${PEERS_GPU.group}\n  ${PEERS_GPU.workloads.length} of the above at the sizes of published figures for GPUs`);
}
