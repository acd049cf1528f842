import { predefinedHandle } from "@stowage/mpi-abi";
import { ints } from "../native/words.js";
import type { Context } from "../message/context.js";

/** What a window of a device's memory exposes to the MPI: a byte that can be read. */
export const EXPOSED = ints(1);
const READ = ints(1);

/**
 * Returns once a lock is held on a window that exposes at least a byte. MPI_Win_lock may return before that (MPI 4.1,
 * section 12.5.3): Open MPI's windows by messages only ask for it. What was read under the lock cannot come earlier.
 */
export function awaitLock({ native }: Context, rank: number, window: number): void {
  const byte = predefinedHandle(native.mpi, "MPI_BYTE");
  native.call("MPI_Get", READ.address, 1, byte, rank, 0, 1, byte, window);
  native.call("MPI_Win_flush", rank, window);
}
