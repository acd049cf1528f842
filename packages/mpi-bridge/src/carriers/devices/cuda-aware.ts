import type { Mpi } from "@stowage/mpi-abi";

/** Whether an MPI takes addresses of device memory, and who says so. */
export interface Awareness {
  readonly isAware: boolean;
  readonly reason: string;
}

/**
 * By the user's word, or the library's own: Open MPI and MPICH export MPIX_Query_cuda_support. An MPI that is handed
 * such an address and does not know it ends the process, so silence counts as no.
 */
export function cudaAwareness(mpi: Mpi, given: boolean | undefined): Awareness {
  if (given !== undefined)
    return { isAware: given, reason: `the MPI ${given ? "takes" : "does not take"} device memory, as it was opened` };
  const isAware = query(mpi);
  return { isAware, reason: `${mpi.name} ${isAware ? "takes" : "does not take"} device memory` };
}

function query(mpi: Mpi): boolean {
  try {
    return mpi.bind("MPIX_Query_cuda_support", "void")() === 1;
  } catch {
    return false; // not exported: no MPI that knows of devices
  }
}
