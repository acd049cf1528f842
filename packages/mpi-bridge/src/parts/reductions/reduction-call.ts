import type { Reduction as Operation } from "@stowage/mpi-abi";
import type { Placed } from "../../message/place/placed.js";
import { BridgeError } from "../../errors.js";

export type ReductionName = "reduce" | "allreduce" | "reduce_scatter" | "reduce_scatter_block" | "scan" | "exscan";

/** A reduction of one rank, its elements found and checked (MPI 4.1, sections 6.9 to 6.11). */
export interface ReductionCall {
  readonly name: ReductionName;
  readonly op: Operation;
  /** What this rank puts in; in place, where its result comes to be. */
  readonly input: Placed;
  readonly isInPlace: boolean;
  /** Where its result comes to be; undefined where it has none. */
  readonly result: Placed | undefined;
  /** The rank that gets a reduce's result. */
  readonly root: number;
  /** Packed bytes of each rank's part of the result, where ranks have parts. */
  readonly partsBytes?: readonly number[];
}

/** Throws a BridgeError unless what one rank puts in and gets are as many elements of one basic type. */
export function requireAlike({ name, input, result, partsBytes }: ReductionCall, rank: number): void {
  if (result === undefined || result === input) return;
  const expected = partsBytes === undefined ? input.sizeBytes : (partsBytes[rank] as number);
  if (result.sizeBytes !== expected)
    throw new BridgeError(`result of ${name}`, `${expected} bytes, as what is sent says`, String(result.sizeBytes));
  const [sent, received] = [input, result].map(({ type }) => type.reducible.handle);
  if (sent !== received && expected > 0)
    throw new BridgeError(`result of ${name}`, "elements of the basic type that is sent", result.type.datatype.kind);
}
