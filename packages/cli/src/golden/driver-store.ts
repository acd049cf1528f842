import type { Memory } from "@stowage/backend-api";
import { copyBytes, type Context, type DeviceMemory, type PinnedMemory } from "@stowage/cuda-driver";
import type { Store } from "./store.js";

/** A GPU's own memory, or pinned memory; it grows as what it holds does. */
export class DriverStore implements Store, Disposable {
  readonly #context: Context;
  readonly #kind: "device" | "pinned";
  #memory: DeviceMemory | PinnedMemory | undefined;
  #lengthBytes = 0;

  constructor(context: Context, kind: "device" | "pinned") {
    this.#context = context;
    this.#kind = kind;
  }

  hold(bytes: Uint8Array): Memory {
    const memory = this.#atLeast(Math.max(1, bytes.length));
    this.#lengthBytes = bytes.length;
    this.#copy(memory.address, this.#context.libcuda.addressOf(bytes));
    return { kind: this.#kind, sizeBytes: bytes.length, address: memory.address, device: memory.device };
  }

  read(): Uint8Array {
    const bytes = new Uint8Array(this.#lengthBytes);
    this.#copy(this.#context.libcuda.addressOf(bytes), this.#memory?.address ?? 0);
    return bytes;
  }

  [Symbol.dispose](): void {
    this.#memory?.[Symbol.dispose]();
    this.#memory = undefined;
  }

  #copy(target: number, source: number): void {
    this.#context.synchronize();
    if (this.#lengthBytes > 0) copyBytes(this.#context, target, source, this.#lengthBytes).run({ handle: 0 });
    this.#context.synchronize();
  }

  #atLeast(sizeBytes: number): DeviceMemory | PinnedMemory {
    if (this.#memory !== undefined && this.#memory.sizeBytes >= sizeBytes) return this.#memory;
    this[Symbol.dispose]();
    const context = this.#context;
    this.#memory = this.#kind === "device" ? context.deviceMemory(sizeBytes) : context.pinnedMemory(sizeBytes);
    return this.#memory;
  }
}
