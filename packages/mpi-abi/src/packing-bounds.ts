import { typeBounds } from "./datatype/type-bounds.js";
import { MpiLibraryError } from "./errors.js";
import type { Mpi } from "./mpi.js";
import type { Packing } from "./packing.js";

const MOST = 2 ** 31 - 1;

/** Throws where elements reach outside their memory: MPI would not notice. */
export function requireElements(mpi: Mpi, { datatype, count, scattered, originBytes }: Packing): void {
  requireInt("count of MPI_Pack", count);
  const { extentBytes, trueLowerBoundBytes, trueExtentBytes } = typeBounds(mpi, datatype);
  const lastBytes = Math.max(0, count - 1) * extentBytes;
  const low = originBytes + trueLowerBoundBytes + Math.min(0, lastBytes);
  const high = originBytes + trueLowerBoundBytes + trueExtentBytes + Math.max(0, lastBytes);
  if (count > 0 && trueExtentBytes > 0 && (low < 0 || high > scattered.length)) {
    const expected = `within a memory of ${scattered.length} bytes`;
    throw new MpiLibraryError(`elements of MPI_Pack: expected ${expected}, got bytes [${low}, ${high})`);
  }
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

function requireInt(subject: string, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= MOST) return;
  throw new MpiLibraryError(`${subject}: expected an integer from 0 to ${MOST}, got ${value}`);
}
