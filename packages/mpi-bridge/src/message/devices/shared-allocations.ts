import type { Buffer } from "@stowage/backend-api";
import { describePointer, shareMemory, type Context } from "@stowage/cuda-driver";
import type { Offer } from "./offer.js";

/** What other processes are told of an allocation. */
export type SharedAllocation = Pick<Offer, "handle" | "process" | "id" | "startAddress" | "sizeBytes">;

/** Handles of this process's allocations, each asked of the driver once. */
export class SharedAllocations {
  readonly #known = new WeakMap<Buffer, SharedAllocation>();
  readonly #buffers = new Map<number, WeakRef<Buffer>>();
  #next = 1;

  /** Throws a DriverError where the driver gives no handle, as of memory that came from a pool. */
  of(buffer: Buffer, context: Context): SharedAllocation {
    const known = this.#known.get(buffer);
    if (known !== undefined) return known;
    const { address = 0 } = buffer;
    const { startAddress = address, sizeBytes = buffer.sizeBytes } = describePointer(context, address);
    const handle = shareMemory({ context, address: startAddress });
    const shared = { handle, process: process.pid, id: this.#next++, startAddress, sizeBytes };
    this.#known.set(buffer, shared);
    this.#buffers.set(shared.id, new WeakRef(buffer));
    return shared;
  }

  /** This process's own, which it cannot open. */
  own(id: number): Buffer | undefined {
    return this.#buffers.get(id)?.deref();
  }
}
