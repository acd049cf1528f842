import type { Bounds } from "@stowage/ir";
import { call } from "../check.js";
import { requireMpi, type Mpi } from "../mpi.js";
import { counts, takeCount } from "../native/cells.js";

/** What an MPI says of the size and bounds of one element, in bytes. MPI 4.1, sections 5.1.5 to 5.1.8. */
export type TypeBounds = Pick<
  Bounds,
  "sizeBytes" | "lowerBoundBytes" | "extentBytes" | "trueLowerBoundBytes" | "trueExtentBytes"
>;

/**
 * Asks an MPI for the size and bounds of one element, by MPI_Type_size_x and its kin: the plain calls count in 32 bits.
 * Throws a MpiLibraryError for a handle that is not known to be alive.
 */
export function typeBounds(mpi: Mpi, handle: number): TypeBounds {
  requireMpi(mpi).live.require(handle);
  call(mpi, "MPI_Type_size_x", handle, counts.first);
  const sizeBytes = takeCount(counts.first);
  call(mpi, "MPI_Type_get_extent_x", handle, counts.first, counts.second);
  const [lowerBoundBytes, extentBytes] = [takeCount(counts.first), takeCount(counts.second)];
  call(mpi, "MPI_Type_get_true_extent_x", handle, counts.first, counts.second);
  const [trueLowerBoundBytes, trueExtentBytes] = [takeCount(counts.first), takeCount(counts.second)];
  return { sizeBytes, lowerBoundBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes };
}
