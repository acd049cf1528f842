const PAGE_BYTES = 4096;

interface Mapped {
  readonly startAddress: number;
  readonly buffer: WeakRef<ArrayBufferLike>;
  readonly sizeBytes: number;
}

/**
 * Addresses for the process's own ArrayBuffers, which a simulated driver reaches as a real one reaches pageable memory.
 */
export class HostSpace {
  readonly #addresses = new WeakMap<ArrayBufferLike, number>();
  #mapped: Mapped[] = [];
  #nextAddress = 0x5500_0000_0000;

  addressOf(view: ArrayBufferView): number {
    return this.#startOf(view.buffer) + view.byteOffset;
  }

  /** The bytes at an address; undefined where no living buffer holds them all. */
  bytesAt(address: number, sizeBytes: number): Uint8Array | undefined {
    const found = this.#last(address);
    const buffer = found?.buffer.deref();
    if (found === undefined || buffer === undefined) return undefined;
    const offset = address - found.startAddress;
    return offset + sizeBytes <= found.sizeBytes ? new Uint8Array(buffer, offset, sizeBytes) : undefined;
  }

  #startOf(buffer: ArrayBufferLike): number {
    const known = this.#addresses.get(buffer);
    if (known !== undefined) return known;
    const startAddress = this.#nextAddress;
    this.#nextAddress += (Math.floor(buffer.byteLength / PAGE_BYTES) + 2) * PAGE_BYTES;
    this.#addresses.set(buffer, startAddress);
    if (this.#mapped.length % 1024 === 1023) this.#mapped = this.#mapped.filter((entry) => entry.buffer.deref());
    this.#mapped.push({ startAddress, buffer: new WeakRef(buffer), sizeBytes: buffer.byteLength });
    return startAddress;
  }

  /** Addresses only grow, so the list is sorted. */
  #last(address: number): Mapped | undefined {
    let low = 0;
    let high = this.#mapped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#mapped[middle] as Mapped).startAddress <= address) low = middle + 1;
      else high = middle;
    }
    return this.#mapped[low - 1];
  }
}
