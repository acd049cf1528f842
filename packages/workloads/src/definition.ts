import type { Datatype } from "@stowage/ir";

/** `count` elements of a datatype. */
export interface Elements {
  readonly datatype: Datatype;
  readonly count: number;
}

/** Groups of workloads, in the order in which they are listed. */
export const WORKLOAD_GROUPS = [
  "ddtbench",
  "jenkins",
  "faces",
  "hacc",
  "shoc",
  "tempi",
  "kernels",
  "peers",
  "pages",
] as const;

/** One of WORKLOAD_GROUPS. */
export type WorkloadGroup = (typeof WORKLOAD_GROUPS)[number];

/** A named datatype that an integer scale makes larger. */
export interface WorkloadDefinition {
  readonly name: string;
  readonly group: WorkloadGroup;
  /** One line: what moves, and in which shape. */
  readonly description: string;
  /** The program, paper or table it comes from. */
  readonly source: string;
  /** The scale of the workload as published. */
  readonly defaultScale: number;
  /** Packed bytes of all elements at a scale of 1, 2, 3 ...; strictly increasing. */
  readonly sizeBytes: (scale: number) => number;
  readonly build: (scale: number) => Elements;
}

/** A datatype that is as it is: more of it means more elements. `sizeBytes` is the packed size of one. */
export function repeated(
  labels: Pick<WorkloadDefinition, "name" | "group" | "description" | "source">,
  sizeBytes: number,
  datatype: () => Datatype,
): WorkloadDefinition {
  return {
    ...labels,
    defaultScale: 1,
    sizeBytes: (count) => count * sizeBytes,
    build: (count) => ({ datatype: datatype(), count }),
  };
}
