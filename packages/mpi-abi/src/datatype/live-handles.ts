import { MpiLibraryError } from "../errors.js";

/**
 * The datatype handles that are known to be alive: predefined ones, those that this package made or was handed with a
 * datatype's contents and has not freed, and those that the caller vouched for. Most MPIs follow any other handle into
 * memory that is not theirs, which ends the process, so it is refused before the library sees it.
 */
export class LiveHandles {
  readonly #mpi: string;
  readonly #predefined: ReadonlySet<number>;
  /** References held to each handle. MPICH hands out the same handle again with each reading of contents. */
  readonly #held = new Map<number, number>();

  constructor(mpi: string, predefined: Iterable<number>) {
    this.#mpi = mpi;
    this.#predefined = new Set(predefined);
  }

  /** Counts one more reference to a handle. Returns the handle. */
  hold(handle: number): number {
    this.#held.set(handle, (this.#held.get(handle) ?? 0) + 1);
    return handle;
  }

  /** Counts one reference less, where the handle has any. */
  release(handle: number): void {
    const held = this.#held.get(handle) ?? 0;
    if (held > 1) this.#held.set(handle, held - 1);
    else this.#held.delete(handle);
  }

  /** Throws a MpiLibraryError for a handle that is not known to be alive. */
  require(handle: number): void {
    if (this.#held.has(handle) || this.#predefined.has(handle)) return;
    throw new MpiLibraryError(
      `datatype handle of ${this.#mpi}: expected one that is alive, got ${shown(handle)}, which is freed or from elsewhere (trustHandle vouches for it)`,
    );
  }
}

const shown = (handle: number): string =>
  Number.isSafeInteger(handle) && handle >= 0 ? `0x${handle.toString(16)}` : String(handle);
