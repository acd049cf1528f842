import { lower, quoted } from "@stowage/ir";
import { importDatatype } from "./datatype/import-datatype.js";
import { typeBounds, type TypeBounds } from "./datatype/type-bounds.js";
import { MpiLibraryError } from "./errors.js";
import type { Mpi } from "./mpi.js";
import type { Packing } from "./packing-arguments.js";

const MOST = 2 ** 31 - 1;

/** Throws where elements reach outside their memory: MPI would not notice. */
export function requireElements(mpi: Mpi, { datatype, count, scattered, originBytes }: Packing): void {
  requireInt("count of MPI_Pack", count);
  const theirs = typeBounds(mpi, datatype);
  const isWithin = ([low, high]: Reach): boolean => low >= 0 && high <= scattered.length;
  if (isWithin(reachOf(theirs, count, originBytes))) return;
  // MPICH counts members without data into the true extent: what is really touched decides.
  const reach = reachOf({ ...theirs, ...touched(mpi, datatype) }, count, originBytes);
  if (isWithin(reach)) return;
  const expected = `within a memory of ${scattered.length} bytes`;
  throw new MpiLibraryError(`elements of MPI_Pack: expected ${expected}, got bytes [${reach[0]}, ${reach[1]})`);
}

/** Bytes [low, high) of the memory. */
type Reach = readonly [low: number, high: number];

function reachOf(bounds: TypeBounds, count: number, originBytes: number): Reach {
  const { extentBytes, trueLowerBoundBytes, trueExtentBytes } = bounds;
  if (count === 0 || trueExtentBytes === 0) return [0, 0];
  const lastBytes = (count - 1) * extentBytes;
  const low = originBytes + trueLowerBoundBytes;
  return [low + Math.min(0, lastBytes), low + trueExtentBytes + Math.max(0, lastBytes)];
}

/** True bounds by the type map. */
function touched(mpi: Mpi, datatype: number): Pick<TypeBounds, "trueLowerBoundBytes" | "trueExtentBytes"> {
  const { trueLowerBoundBytes, trueExtentBytes } = lower(importDatatype(mpi, datatype), { bounds: mpi.bounds });
  return { trueLowerBoundBytes, trueExtentBytes };
}

/** Throws where the packed stream does not fit its memory, or MPI's int. */
export function requireStream(mpi: Mpi, { datatype, count, packed, positionBytes = 0 }: Packing): void {
  requireInt("position of MPI_Pack", positionBytes);
  requireInt("bytes of a packed buffer of MPI_Pack", packed.length);
  const end = positionBytes + count * typeBounds(mpi, datatype).sizeBytes;
  if (end > packed.length) {
    throw new MpiLibraryError(`packed stream: expected to end within ${packed.length} bytes, got ${end}`);
  }
}

/** Throws where a number is no count of C's int. */
export function requireInt(subject: string, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= MOST) return;
  throw new MpiLibraryError(`${subject}: expected an integer from 0 to ${MOST}, got ${quoted(value)}`);
}
