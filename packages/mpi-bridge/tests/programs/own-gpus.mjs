// An MPI world of simulated GPUs, one a rank, whose launches are counted; to be imported before checks.mjs, which opens no other.
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { openMpi } from "@stowage/mpi-bridge";
import { sharedPages } from "./shared-pages.mjs";

/** Launches so far, and what calls of the driver give, by name. */
export const counted = { launches: 0, fault: undefined };
export const driver = openSimulatedCuda({
  devices: 8,
  shared: sharedPages(),
  launched: () => void counted.launches++,
  fault: (call) => counted.fault?.(call),
});
export const context = driver.context(openMpi({ cuda: () => driver }).world.rank);
