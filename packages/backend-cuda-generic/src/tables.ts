import { copyBytes, type DeviceMemory } from "@stowage/cuda-driver";
import type { DeviceState } from "./devices.js";

/** The lookaside buffer of one artifact on one device; shared by its kernel and plans, freed with the last of them. */
export class DeviceTables {
  readonly #memory: DeviceMemory | undefined;
  #holders = 0;

  constructor({ context, uploads }: DeviceState, lookaside: Uint8Array) {
    if (lookaside.byteLength === 0) return;
    this.#memory = context.deviceMemory(lookaside.byteLength);
    copyBytes(context, this.#memory.address, context.libcuda.addressOf(lookaside), lookaside.byteLength).run(uploads);
    uploads.synchronize();
  }

  get address(): number {
    return this.#memory?.address ?? 0;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.#memory?.[Symbol.dispose]();
  }
}
