import type { Datatype } from "@stowage/ir";

/** Elements of a datatype in memory, as one rank sends or receives them. */
export interface Side {
  /** The workload that it is. */
  readonly name: string;
  readonly datatype: Datatype;
  readonly count: number;
  readonly memory: Uint8Array;
  readonly originBytes: number;
}
