import { MpiLibraryError } from "../errors.js";
import { requireMpi, type Mpi } from "../mpi.js";

/**
 * Vouches for the handle of a datatype that was made elsewhere, by native code in this process or a call of one's own,
 * so that importDatatype, typeBounds and pack take it. Whether such a handle is alive cannot be known from outside the
 * library: where it is not, the next call of MPI may end the process. Dispose of the result before the datatype is
 * freed. Throws a MpiLibraryError for what is no integer above 0.
 */
export function trustHandle(mpi: Mpi, handle: number): Disposable {
  requireMpi(mpi);
  if (!Number.isSafeInteger(handle) || handle <= 0) {
    throw new MpiLibraryError(`datatype handle of ${mpi.name}: expected an integer above 0, got ${String(handle)}`);
  }
  mpi.live.hold(handle);
  return { [Symbol.dispose]: () => mpi.live.release(handle) };
}
