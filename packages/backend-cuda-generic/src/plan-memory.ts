import type { Context, DeviceMemory } from "@stowage/cuda-driver";

/** Room for one plan block on a device. */
export interface PlanRoom {
  readonly address: number;
  readonly sizeBytes: number;
  /** Nothing may read it any longer: the next plan writes there. */
  release(): void;
}

const LEAST_ROOM_BYTES = 1024;
const SLAB_BYTES = 2 ** 15;

/**
 * Plan blocks of all plans on one device, cut from larger allocations: the driver takes 39 us to allocate and 28 us to
 * free what a plan block needs (H200), which is more than all else that binding costs. Freed with the last of its
 * holders.
 */
export class PlanMemory {
  readonly #context: Context;
  readonly #allocations: DeviceMemory[] = [];
  #holders = 0;
  /** Addresses free to take, by size: powers of two. */
  readonly #free = new Map<number, number[]>();

  constructor(context: Context) {
    this.#context = context;
  }

  room(bytes: number): PlanRoom {
    if (bytes > SLAB_BYTES) return this.#own(bytes);
    let sizeBytes = LEAST_ROOM_BYTES;
    while (sizeBytes < bytes) sizeBytes *= 2;
    const free = this.#freeOf(sizeBytes);
    const address = free.pop() ?? this.#cut(sizeBytes, free);
    return { address, sizeBytes, release: () => void free.push(address) };
  }

  #own(bytes: number): PlanRoom {
    const allocation = this.#context.deviceMemory(bytes);
    return { address: allocation.address, sizeBytes: bytes, release: () => allocation[Symbol.dispose]() };
  }

  /** A new allocation, all of it free but the address that is returned. */
  #cut(sizeBytes: number, free: number[]): number {
    const allocation = this.#context.deviceMemory(SLAB_BYTES);
    this.#allocations.push(allocation);
    for (let at = sizeBytes; at < allocation.sizeBytes; at += sizeBytes) free.push(allocation.address + at);
    return allocation.address;
  }

  #freeOf(sizeBytes: number): number[] {
    const known = this.#free.get(sizeBytes);
    if (known !== undefined) return known;
    const free: number[] = [];
    this.#free.set(sizeBytes, free);
    return free;
  }

  hold(): void {
    this.#holders++;
  }

  /** All rooms must have been given back by the last one. */
  release(): void {
    if (--this.#holders > 0) return;
    for (const allocation of this.#allocations.splice(0)) allocation[Symbol.dispose]();
    this.#free.clear();
  }
}
