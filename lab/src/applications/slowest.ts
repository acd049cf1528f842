import type { Communicator } from "@stowage/mpi-bridge";

/** The median of what the slowest rank of each iteration took: all ranks give as many samples, and get the same. */
export function medianOfSlowest(comm: Communicator, samples: readonly number[]): number {
  const slowest = new Float64Array(samples.length);
  comm.allreduce(Float64Array.from(samples), slowest, { op: "max" });
  return slowest.sort()[samples.length >> 1] as number;
}
