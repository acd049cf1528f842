/** An allocation that was made through a driver object. */
export interface KnownAllocation {
  /** The kind of memory. */
  readonly kind: "device" | "pinned" | "managed";
  /** The ordinal of the device that it was made through. */
  readonly device: number;
  /** Its length in bytes. */
  readonly sizeBytes: number;
  /** Whether it has been given back. */
  readonly disposed: boolean;
}

/**
 * The allocations that were made through one driver object and not given back: what is known of them needs no question
 * to the driver.
 */
export class Allocations {
  /** Where they start, in order: numbers alone, for a search at every binding. */
  readonly #starts: number[] = [];
  readonly #held: KnownAllocation[] = [];

  /** Notes an allocation by the address of its first byte, in place of one that began there. */
  add(startAddress: number, allocation: KnownAllocation): void {
    this.remove(startAddress);
    const i = this.#after(startAddress);
    this.#starts.splice(i, 0, startAddress);
    this.#held.splice(i, 0, allocation);
  }

  /** Forgets the allocation that begins at an address, if there is one. */
  remove(startAddress: number): void {
    const i = this.#after(startAddress) - 1;
    if (this.#starts[i] !== startAddress) return;
    this.#starts.splice(i, 1);
    this.#held.splice(i, 1);
  }

  /**
   * The allocation that holds all of `sizeBytes` bytes from an address on; undefined where none does. It takes O(log
   * allocations).
   */
  holding(address: number, sizeBytes: number): KnownAllocation | undefined {
    const i = this.#after(address) - 1;
    const allocation = this.#held[i];
    if (allocation === undefined || address + sizeBytes > (this.#starts[i] as number) + allocation.sizeBytes)
      return undefined;
    return allocation.disposed ? undefined : allocation;
  }

  /** How many start at or below an address. */
  #after(address: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
