import type { Memory } from "@stowage/backend-api";
import type { BufferLike } from "@stowage/selector";
import { isThere, type Placed } from "./placed.js";
import { pack, unpack } from "./pack.js";
import type { Staging, StagingBuffer } from "./staging.js";
import type { Shown } from "./shown.js";

const INT_BYTES = 4;

/**
 * One side of a collective whose parts differ by rank. Packed parts lie one after another in a staging buffer, as
 * blocks of an element's size each. Tables for MPI are staging too: a new ArrayBuffer for each call, its address and
 * its collection would cost more than the call.
 */
export class PartsTransfer {
  readonly address: number;
  /** The address of a table of C ints: each part's count. */
  readonly countsAddress: number;
  readonly #parts: readonly Placed[];
  readonly #starts: readonly number[];
  readonly #staging: Staging;
  readonly #packed: StagingBuffer | undefined;
  readonly #tables: StagingBuffer;

  constructor(parts: readonly Placed[], shown: Shown, staging: Staging) {
    this.#parts = parts;
    this.#staging = parts[0]?.device?.stagingFor(shown) ?? staging;
    this.#tables = staging.take(2 * INT_BYTES * parts.length);
    this.countsAddress = this.#tables.address;
    let [bytes, base] = [0, Infinity];
    const starts: number[] = [];
    for (const [i, { type, count, address, sizeBytes }] of parts.entries()) {
      type.hold();
      this.#tables.ints[i] = count;
      starts.push(bytes);
      bytes += sizeBytes;
      base = Math.min(base, address);
    }
    this.#starts = starts;
    this.#packed = shown === "packed" || shown === "device" ? this.#staging.take(bytes) : undefined;
    this.address = this.#packed?.address ?? (parts.length === 0 ? 0 : base);
  }

  /** The MPI's handle of each part's elements. */
  get handles(): readonly number[] {
    return this.#parts.map(({ type }) => (this.isPacked ? type.block : type.native));
  }

  /** Where each part begins, from `address`. */
  get displacementsBytes(): readonly number[] {
    return this.isPacked ? this.#starts : this.#parts.map(({ address }) => address - this.address);
  }

  /**
   * The address of a table of C ints: displacements as a collective of one datatype counts them, packed parts in
   * elements, others by the caller's own.
   */
  displacementsAddress(given: readonly number[]): number {
    const length = this.#parts.length;
    for (let i = 0; i < length; i++)
      this.#tables.ints[length + i] = (this.isPacked ? this.#packedElement(i) : given[i]) as number;
    return this.#tables.address + INT_BYTES * length;
  }

  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  /** Whether what the MPI itself works on is still there: staging is. */
  get isThere(): boolean {
    return this.isPacked || this.#parts.every(isThere);
  }

  pack(): void {
    this.#each((part, packed) => {
      const source = { memory: part.buffer, originBytes: part.originBytes };
      pack(part.type, source, packed, { count: part.count }).wait();
    });
  }

  unpack(): void {
    this.#each((part, packed) => {
      const target = { memory: part.buffer, originBytes: part.originBytes };
      unpack(part.type, packed, target, { count: part.count }).wait();
    });
  }

  release(): void {
    if (this.#packed !== undefined) this.#staging.give(this.#packed);
    this.#tables.home.give(this.#tables);
    for (const { type } of this.#parts) type.release();
  }

  #packedElement(part: number): number {
    const { sizeBytes } = (this.#parts[part] as Placed).type;
    return sizeBytes === 0 ? 0 : (this.#starts[part] as number) / sizeBytes;
  }

  #each(move: (part: Placed, packed: BufferLike) => void): void {
    const packed = this.#packed;
    if (packed === undefined) return;
    this.#parts.forEach((part, i) => {
      if (part.sizeBytes > 0) move(part, partOf(packed.memory, this.#starts[i] as number, part.sizeBytes));
    });
  }
}

/** Views are cut, so that kernels see them alone; other memory has an origin. */
const partOf = (memory: BufferLike, start: number, bytes: number): BufferLike =>
  memory instanceof Uint8Array
    ? memory.subarray(start, start + bytes)
    : { memory: memory as Memory, originBytes: start };
