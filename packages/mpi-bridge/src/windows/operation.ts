import type { Accumulation } from "@stowage/mpi-abi";

/** One operation that its target carries out: how it is told there. */
export interface Told {
  readonly act: "put" | "get" | "accumulate";
  readonly atBytes: number;
  readonly count: number;
  /** The text of a datatype document. */
  readonly datatype: string;
  readonly op?: Accumulation;
  /** Bytes that follow, or that are to come back. */
  readonly sizeBytes: number;
}
