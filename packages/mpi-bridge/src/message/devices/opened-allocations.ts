import { openSharedMemory, type Context, type SharedMemory } from "@stowage/cuda-driver";
import type { Offer } from "./offer.js";

interface Opened {
  readonly memory: SharedMemory;
  readonly owner: string;
  readonly startAddress: number;
  /** Plans that reach it. */
  holders: number;
}

const MOST_OPEN = 64;

/**
 * Allocations of other processes that this one has open: opening one takes a hundred microseconds. The latest used are
 * kept.
 */
export class OpenedAllocations implements Disposable {
  readonly #open = new Map<string, Opened>();

  /** Throws a DriverError where the driver refuses the handle. */
  of(offer: Offer, context: Context): SharedMemory {
    return this.#opened(offer, context).memory;
  }

  /** The allocation, kept open until it is disposed of. Throws a DriverError where the driver refuses the handle. */
  hold(offer: Offer, context: Context): { readonly memory: SharedMemory } & Disposable {
    const opened = this.#opened(offer, context);
    opened.holders++;
    return { memory: opened.memory, [Symbol.dispose]: () => void opened.holders-- };
  }

  #opened({ process: owner, id, handle, startAddress, sizeBytes }: Offer, context: Context): Opened {
    const device = `${owner} for ${context.device.ordinal}`;
    const key = `${device}: ${id}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    this.#closeOverlapping(device, startAddress, startAddress + sizeBytes);
    const memory = openSharedMemory(context, handle, sizeBytes);
    const opened = { memory, owner: device, startAddress, holders: 0 };
    const oldest = this.#open.size < MOST_OPEN ? undefined : [...this.#open].find(([, each]) => each.holders === 0);
    if (oldest !== undefined) this.#close(oldest[0]);
    this.#open.set(key, opened);
    return opened;
  }

  [Symbol.dispose](): void {
    for (const key of this.#open.keys()) this.#close(key);
  }

  /** What lay there before was freed by its owner. */
  #closeOverlapping(owner: string, start: number, end: number): void {
    for (const [key, each] of this.#open)
      if (
        each.holders === 0 &&
        each.owner === owner &&
        each.startAddress < end &&
        start < each.startAddress + each.memory.sizeBytes
      )
        this.#close(key);
  }

  #close(key: string): void {
    this.#open.get(key)?.memory[Symbol.dispose]();
    this.#open.delete(key);
  }
}
