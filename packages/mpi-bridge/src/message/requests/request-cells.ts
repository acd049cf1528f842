import type { Mpi } from "@stowage/mpi-abi";
import { handleList, type HandleList } from "../../native/words.js";

/** Cells that are kept for later requests, at most. */
const MOST_KEPT = 8192;

/**
 * Where MPI writes handles of requests, used again and again: to make one and ask for its address costs as much as a
 * short message (paper: Balaji et al. 2010, section 3.2).
 */
export class RequestCells {
  readonly #mpi: Mpi;
  readonly #free: HandleList[] = [];

  constructor(mpi: Mpi) {
    this.#mpi = mpi;
  }

  take(): HandleList {
    return this.#free.pop() ?? handleList(this.#mpi, 0);
  }

  /** Nobody reads or writes it any more. */
  give(cell: HandleList): void {
    if (this.#free.length < MOST_KEPT) this.#free.push(cell);
  }
}
