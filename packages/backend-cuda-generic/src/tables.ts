import { copyBytes, type DeviceMemory } from "@stowage/cuda-driver";
import type { DeviceState } from "./devices.js";

/**
 * The lookaside buffer of one artifact on one device, and its hold on the memory of plans; shared by its kernel and
 * plans, let go with the last of them.
 */
export class DeviceTables {
  readonly #device: DeviceState;
  readonly #memory: DeviceMemory | undefined;
  #holders = 0;

  constructor(device: DeviceState, lookaside: Uint8Array) {
    const { context, uploads } = device;
    this.#device = device;
    if (lookaside.byteLength === 0) return;
    this.#memory = context.deviceMemory(lookaside.byteLength);
    copyBytes(context, this.#memory.address, context.libcuda.addressOf(lookaside), lookaside.byteLength).run(uploads);
    uploads.synchronize();
  }

  get address(): number {
    return this.#memory?.address ?? 0;
  }

  hold(): void {
    if (this.#holders++ === 0) this.#device.planMemory.hold();
  }

  release(): void {
    if (--this.#holders > 0) return;
    this.#memory?.[Symbol.dispose]();
    this.#device.planMemory.release();
  }
}
