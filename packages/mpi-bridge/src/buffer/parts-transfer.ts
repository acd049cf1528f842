import { handlesOf, intsOf, type HandleList, type Ints } from "../native/words.js";
import type { Mpi } from "@stowage/mpi-abi";
import type { Placed } from "./placed.js";
import type { Staging, StagingBuffer } from "./staging.js";
import type { Way } from "./transfer.js";

/**
 * One side of a collective whose parts differ by rank. Packed parts lie one after another in a staging buffer, as blocks of
 * an element's size each.
 */
export class PartsTransfer {
  readonly address: number;
  readonly counts: Ints;
  /** In bytes. */
  readonly displacementsBytes: readonly number[];
  readonly handles: HandleList;
  readonly #parts: readonly Placed[];
  readonly #starts: readonly number[];
  readonly #staging: Staging;
  readonly #packed: StagingBuffer | undefined;

  constructor(mpi: Mpi, parts: readonly Placed[], way: Way, staging: Staging) {
    this.#parts = parts;
    this.#staging = staging;
    for (const { type } of parts) type.hold();
    let bytes = 0;
    this.#starts = parts.map(({ sizeBytes }) => (bytes += sizeBytes) - sizeBytes);
    this.#packed = way === "packed" ? staging.take(bytes) : undefined;
    const base = Math.min(...parts.map(({ address }) => address));
    this.address = this.#packed?.address ?? (parts.length === 0 ? 0 : base);
    this.counts = intsOf(parts.map(({ count }) => count));
    this.displacementsBytes = this.#packed === undefined ? parts.map(({ address }) => address - base) : this.#starts;
    const isPacked = this.#packed !== undefined;
    this.handles = handlesOf(
      mpi,
      parts.map(({ type }) => (isPacked ? type.block : type.native)),
    );
  }

  /** Displacements as a collective of one datatype counts them: packed parts in elements, others by the caller's own. */
  displacements(given: readonly number[]): Ints {
    if (this.#packed === undefined) return intsOf(given);
    return intsOf(
      this.#parts.map(({ type }, i) => (type.sizeBytes === 0 ? 0 : (this.#starts[i] as number) / type.sizeBytes)),
    );
  }

  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  pack(): void {
    this.#each((part, bytes) => {
      const source = { memory: part.buffer, originBytes: part.originBytes };
      part.type.committed.pack(source, bytes, { count: part.count }).wait();
    });
  }

  unpack(): void {
    this.#each((part, bytes) => {
      const target = { memory: part.buffer, originBytes: part.originBytes };
      part.type.committed.unpack(bytes, target, { count: part.count }).wait();
    });
  }

  release(): void {
    if (this.#packed !== undefined) this.#staging.give(this.#packed);
    for (const { type } of this.#parts) type.release();
  }

  #each(move: (part: Placed, bytes: Uint8Array) => void): void {
    const packed = this.#packed;
    if (packed === undefined) return;
    this.#parts.forEach((part, i) => {
      const start = this.#starts[i] as number;
      if (part.sizeBytes > 0) move(part, packed.bytes.subarray(start, start + part.sizeBytes));
    });
  }
}
