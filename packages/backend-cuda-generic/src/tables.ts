import type { DeviceMemory } from "@stowage/cuda-driver";
import type { DeviceState } from "./device-state.js";

/**
 * The lookaside buffer of one artifact on one device, and its hold on the memory of plans; shared by its kernel and
 * plans, let go with the last of them.
 */
export class DeviceTables {
  readonly #device: DeviceState;
  readonly #memory: DeviceMemory | undefined;
  #holders = 0;

  constructor(device: DeviceState, lookaside: Uint8Array) {
    this.#device = device;
    if (lookaside.byteLength === 0) return;
    this.#memory = device.context.deviceMemory(lookaside.byteLength);
    device.send(this.#memory.address, lookaside);
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
