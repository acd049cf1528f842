import { call } from "../check.js";
import { requireMpi, type Mpi } from "../mpi.js";

/** A datatype of an MPI that we hold. Disposing of it frees what we made; predefined datatypes stay. */
export class MpiDatatype implements Disposable {
  readonly mpi: Mpi;
  /** The MPI_Datatype: a pointer or an integer, as the ABI has it. */
  readonly handle: number;
  #owned: boolean;

  /** `owned` says whether disposing of it frees the handle. */
  constructor(mpi: Mpi, handle: number, owned: boolean) {
    this.mpi = requireMpi(mpi);
    this.handle = handle;
    this.#owned = owned;
  }

  /**
   * Makes it fit for communication and packing (MPI_Type_commit; MPI 4.1, section 5.1.9). Committing again does
   * nothing. Throws a MpiLibraryError where the handle was freed.
   */
  commit(): this {
    this.mpi.live.require(this.handle);
    const cell = this.mpi.abi.handles(1);
    cell.set(0, this.handle);
    call(this.mpi, "MPI_Type_commit", cell.view);
    return this;
  }

  [Symbol.dispose](): void {
    if (!this.#owned) return;
    this.#owned = false;
    freeHandle(this.mpi, this.handle);
  }
}

/** MPI_Type_free of a handle that is ours to free. Datatypes made from it live on (MPI 4.1, section 5.1.9). */
export function freeHandle(mpi: Mpi, handle: number): void {
  mpi.live.require(handle);
  const cell = mpi.abi.handles(1);
  cell.set(0, handle);
  call(mpi, "MPI_Type_free", cell.view);
  mpi.live.release(handle);
}
