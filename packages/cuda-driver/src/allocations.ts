/** An allocation made through a driver object. */
export interface KnownAllocation {
  readonly kind: "device" | "pinned" | "managed";
  /** The ordinal of the device it was made through. */
  readonly device: number;
  readonly sizeBytes: number;
  readonly disposed: boolean;
}

interface Held {
  readonly startAddress: number;
  readonly allocation: KnownAllocation;
}

/** The allocations that are ours and were not freed: what is known of them needs no question to the driver. */
export class Allocations {
  /** In the order of their addresses. */
  readonly #held: Held[] = [];

  add(startAddress: number, allocation: KnownAllocation): void {
    this.remove(startAddress);
    this.#held.splice(this.#after(startAddress), 0, { startAddress, allocation });
  }

  remove(startAddress: number): void {
    const i = this.#after(startAddress) - 1;
    if (this.#held[i]?.startAddress === startAddress) this.#held.splice(i, 1);
  }

  /** The one that holds all of some bytes. */
  holding(address: number, sizeBytes: number): KnownAllocation | undefined {
    const held = this.#held[this.#after(address) - 1];
    if (held === undefined || address + sizeBytes > held.startAddress + held.allocation.sizeBytes) return undefined;
    return held.allocation.disposed ? undefined : held.allocation;
  }

  /** How many start at or below an address. */
  #after(address: number): number {
    let low = 0;
    let high = this.#held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#held[middle] as Held).startAddress <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
