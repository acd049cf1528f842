import { hindexed, predefined } from "@stowage/ir";
import { exportDatatype, type Mpi, type MpiDatatype } from "@stowage/mpi-abi";

/** What lies behind the gap: the last bytes of the message, which leave their own place as the gap. */
export const GAP_BYTES = 64;
const MOST_KEPT = 32;

/**
 * Packed bytes as two blocks with a gap between, by their number. Bytes that lie together an MPI may fetch from the
 * other process by one system call, or send by a rendezvous; what has a gap it copies through shared memory, piece by
 * piece on both sides at once, which may be several times as fast. Which is, messages tell.
 */
export class GappedTypes implements Disposable {
  readonly #mpi: Mpi;
  readonly #kept = new Map<number, MpiDatatype>();

  constructor(mpi: Mpi) {
    this.#mpi = mpi;
  }

  handleOf(bytes: number): number {
    const { handle } = this.#of(bytes);
    return handle;
  }

  [Symbol.dispose](): void {
    for (const type of this.#kept.values()) type[Symbol.dispose]();
    this.#kept.clear();
  }

  #of(bytes: number): MpiDatatype {
    const known = this.#kept.get(bytes);
    if (known !== undefined) return known;
    const [first] = this.#kept;
    if (this.#kept.size >= MOST_KEPT && first !== undefined) {
      this.#kept.delete(first[0]);
      first[1][Symbol.dispose](); // MPI keeps it while a message uses it
    }
    const blocks = hindexed([bytes - GAP_BYTES, GAP_BYTES], [0, bytes], predefined("MPI_PACKED"));
    const made = exportDatatype(this.#mpi, blocks);
    this.#kept.set(bytes, made);
    return made;
  }
}
