import type { Mpi } from "@stowage/mpi-abi";
import type { Context } from "../message/context.js";
import { BridgeError } from "../errors.js";

/**
 * Whether an MPI takes addresses of device memory: by the user's word, or the library's own, as Open MPI and MPICH
 * export MPIX_Query_cuda_support. An MPI that is handed such an address and does not know it ends the process, so
 * silence counts as no.
 */
export class Awareness {
  readonly isAware: boolean;
  /** Who says so. */
  readonly reason: string;

  constructor({ native: { mpi }, cudaAware }: Context) {
    this.isAware = cudaAware ?? query(mpi);
    const takes = this.isAware ? "takes" : "does not take";
    this.reason =
      cudaAware === undefined
        ? `${mpi.name} ${takes} device memory`
        : `the MPI ${takes} device memory, as it was opened`;
  }

  /** Throws where it does not. */
  require(): void {
    if (!this.isAware) throw new BridgeError("carrier device", "an MPI that takes device memory", this.reason);
  }
}

function query(mpi: Mpi): boolean {
  try {
    return mpi.bind("MPIX_Query_cuda_support", "void")() === 1;
  } catch {
    return false; // not exported: no MPI that knows of devices
  }
}
