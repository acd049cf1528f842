// An MPI world of simulated GPUs, one a rank, whose launches are counted, or of this machine's where STOWAGE_TEST_GPUS
// is real; to be imported before checks.mjs, which opens no other.
import { openCuda, openSimulatedCuda, sharedPages } from "@stowage/cuda-driver";
import { openMpi } from "@stowage/mpi-bridge";

const real = process.env.STOWAGE_TEST_GPUS === "real" ? openCuda() : undefined;
/** Launches so far, and what calls of the driver give, by name; of simulated GPUs alone. */
export const counted = { launches: real === undefined ? 0 : undefined, fault: undefined };
export const driver =
  real ??
  openSimulatedCuda({
    devices: 8,
    shared: sharedPages(),
    launched: () => void counted.launches++,
    fault: (call) => counted.fault?.(call),
  });
export const context = driver.context(openMpi({ cuda: () => driver }).world.rank % driver.devices.length);
