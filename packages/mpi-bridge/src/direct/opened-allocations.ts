import { openSharedMemory, type Context, type SharedMemory } from "@stowage/cuda-driver";
import type { Offer } from "./offer.js";

interface Opened {
  readonly memory: SharedMemory;
  readonly owner: string;
  readonly startAddress: number;
}

const MOST_OPEN = 64;

/** Allocations of other processes that this one has open: opening one takes a hundred microseconds. The latest used are kept. */
export class OpenedAllocations implements Disposable {
  readonly #open = new Map<string, Opened>();

  /** Throws a DriverError where the driver refuses the handle. */
  of({ process: owner, id, handle, startAddress, sizeBytes }: Offer, context: Context): SharedMemory {
    const device = `${owner} for ${context.device.ordinal}`;
    const key = `${device}: ${id}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known.memory;
    this.#closeOverlapping(device, startAddress, startAddress + sizeBytes);
    const memory = openSharedMemory(context, handle, sizeBytes);
    this.#open.set(key, { memory, owner: device, startAddress });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#close(oldest);
    return memory;
  }

  [Symbol.dispose](): void {
    for (const key of this.#open.keys()) this.#close(key);
  }

  /** What lay there before was freed by its owner. */
  #closeOverlapping(owner: string, start: number, end: number): void {
    for (const [key, each] of this.#open)
      if (each.owner === owner && each.startAddress < end && start < each.startAddress + each.memory.sizeBytes)
        this.#close(key);
  }

  #close(key: string): void {
    this.#open.get(key)?.memory[Symbol.dispose]();
    this.#open.delete(key);
  }
}
