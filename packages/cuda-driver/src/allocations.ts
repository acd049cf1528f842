/** An allocation made through a driver object. */
export interface KnownAllocation {
  readonly kind: "device" | "pinned" | "managed";
  /** The ordinal of the device it was made through. */
  readonly device: number;
  readonly sizeBytes: number;
  readonly disposed: boolean;
}

/** The allocations that are ours and were not freed: what is known of them needs no question to the driver. */
export class Allocations {
  /** Where they start, in order: numbers alone, for a search at every binding. */
  readonly #starts: number[] = [];
  readonly #held: KnownAllocation[] = [];

  add(startAddress: number, allocation: KnownAllocation): void {
    this.remove(startAddress);
    const i = this.#after(startAddress);
    this.#starts.splice(i, 0, startAddress);
    this.#held.splice(i, 0, allocation);
  }

  remove(startAddress: number): void {
    const i = this.#after(startAddress) - 1;
    if (this.#starts[i] !== startAddress) return;
    this.#starts.splice(i, 1);
    this.#held.splice(i, 1);
  }

  /** The one that holds all of some bytes. */
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
