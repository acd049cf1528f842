import { koffi } from "./native/koffi.js";
import { call, check } from "./check.js";
import { typeBounds } from "./datatype/type-bounds.js";
import { MpiLibraryError } from "./errors.js";
import { requireMpi, type Mpi } from "./mpi.js";
import { int32, takeInt } from "./native/cells.js";
import { requirePacking, type Packing } from "./packing-arguments.js";
import { requireElements, requireInt, requireStream } from "./packing-bounds.js";

/**
 * The number of bytes that a buffer for MPI_Pack must have (MPI_Pack_size); some MPIs ask for more than the size of the
 * data. Throws a MpiLibraryError for a handle that is not alive or a count beyond C's int.
 */
export function packSize(mpi: Mpi, datatype: number, count: number): number {
  requireMpi(mpi).live.require(datatype);
  requireInt("count of MPI_Pack", count);
  call(mpi, "MPI_Pack_size", count, datatype, mpi.constants.self, int32);
  return takeInt();
}

/** Packs all elements, by one call of MPI_Pack (MPI 4.1, section 5.2). Throws as `PackPlan` does. */
export const pack = (mpi: Mpi, packing: Packing): void => new PackPlan(mpi, packing).pack();

/** Unpacks all elements, by one call of MPI_Unpack (MPI 4.1, section 5.2). Throws as `PackPlan` does. */
export const unpack = (mpi: Mpi, packing: Packing): void => new PackPlan(mpi, packing).unpack();

/**
 * A pack and an unpack that are checked once and may be run many times; each run is one call of MPI. The views must
 * not be detached while it lives. A run throws a MpiError where MPI does, and a MpiLibraryError where it stops short
 * without a word: MPICH 4.0 packs contiguous datatypes short once some hundreds of datatypes are alive.
 */
export class PackPlan {
  readonly #mpi: Mpi;
  /** Holds the views, so that the addresses stay good. */
  readonly #packing: Packing;
  readonly #position = new Int32Array(new ArrayBuffer(4)); // a buffer of its own never moves
  readonly #positionAddress = addressOf(this.#position);
  readonly #elements: number;
  readonly #stream: number;
  readonly #end: number;

  /** Throws a MpiLibraryError where elements or stream lie outside their memory, or count beyond C's int. */
  constructor(mpi: Mpi, packing: Packing) {
    requireMpi(mpi);
    requirePacking(packing);
    requireElements(mpi, packing);
    requireStream(mpi, packing);
    this.#mpi = mpi;
    this.#packing = packing;
    this.#elements = addressOf(packing.scattered) + packing.originBytes;
    this.#stream = addressOf(packing.packed);
    this.#end = (packing.positionBytes ?? 0) + packing.count * typeBounds(mpi, packing.datatype).sizeBytes;
  }

  /** Packs between the buffers that were bound (MPI_Pack). Throws a MpiError where the MPI refuses. */
  pack(): void {
    const { datatype, count, packed, positionBytes = 0 } = this.#packing;
    const { calls, constants } = this.#mpi;
    const [from, to, position] = [this.#elements, this.#stream, this.#positionAddress];
    this.#position[0] = positionBytes;
    check(this.#mpi, "MPI_Pack", calls.MPI_Pack(from, count, datatype, to, packed.length, position, constants.self));
    this.#requireEnd("MPI_Pack");
  }

  /** Unpacks between the buffers that were bound (MPI_Unpack). Throws a MpiError where the MPI refuses. */
  unpack(): void {
    const { datatype, count, packed, positionBytes = 0 } = this.#packing;
    const { calls, constants } = this.#mpi;
    const [from, to, position] = [this.#stream, this.#elements, this.#positionAddress];
    this.#position[0] = positionBytes;
    check(
      this.#mpi,
      "MPI_Unpack",
      calls.MPI_Unpack(from, packed.length, position, to, count, datatype, constants.self),
    );
    this.#requireEnd("MPI_Unpack");
  }

  #requireEnd(name: string): void {
    const position = this.#position[0];
    if (position === this.#end) return;
    throw new MpiLibraryError(`position after ${name} of ${this.#mpi.name}: expected ${this.#end}, got ${position}`);
  }
}

const addressOf = (view: ArrayBufferView): number => Number(koffi().address(view));
