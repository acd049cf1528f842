import { isThere, type Placed } from "./placed.js";
import { pack, unpack } from "./pack.js";
import type { Staging, StagingBuffer } from "./staging.js";
import type { Shown } from "./shown.js";

/**
 * One side of a collective, elements that lie evenly. Packed elements go as that many blocks of bytes, of an element's
 * size each: algorithms cut messages between elements, and must cut alike on ranks whose elements are the MPI's own.
 */
export class BlockTransfer {
  readonly placed: Placed;
  readonly address: number;
  readonly handle: number;
  readonly #staging: Staging;
  readonly #packed: StagingBuffer | undefined;

  constructor(placed: Placed, shown: Shown, staging: Staging) {
    const { type } = placed;
    this.placed = placed;
    this.#staging = placed.device?.stagingFor(shown) ?? staging;
    type.hold();
    this.#packed = shown === "packed" || shown === "device" ? this.#staging.take(placed.sizeBytes) : undefined;
    this.address = this.#packed?.address ?? placed.address;
    this.handle = this.#packed === undefined ? type.native : type.block;
  }

  /** Whether what the MPI itself works on is still there: staging is. */
  get isThere(): boolean {
    return this.#packed !== undefined || isThere(this.placed);
  }

  /** Ahead of a collective that reads elements. */
  pack(): void {
    if (this.#packed === undefined) return;
    const { type, buffer, originBytes, count } = this.placed;
    pack(type, { memory: buffer, originBytes }, this.#packed.memory, { count }).wait();
  }

  /** After one that wrote them. */
  unpack(): void {
    if (this.#packed === undefined) return;
    const { type, buffer, originBytes, count } = this.placed;
    unpack(type, this.#packed.memory, { memory: buffer, originBytes }, { count }).wait();
  }

  release(): void {
    if (this.#packed !== undefined) this.#staging.give(this.#packed);
    this.placed.type.release();
  }
}
