import type { Buffer } from "@stowage/backend-api";
import { DriverError, openCuda, type Driver } from "@stowage/cuda-driver";
import { RoutePools } from "@stowage/routes";
import { OpenedAllocations } from "./opened-allocations.js";
import { SharedAllocations } from "./shared-allocations.js";
import { BridgeError } from "../../errors.js";
import { DeviceSide } from "./device-side.js";

/** The GPUs whose memory messages have come from or gone to. */
export class DeviceSides implements Disposable {
  /** Handles by which other processes open allocations of this one. */
  readonly shared = new SharedAllocations();
  /** Allocations of other processes: the driver opens each once. */
  readonly opened = new OpenedAllocations();
  readonly #pools: RoutePools;
  readonly #sides = new Map<number, DeviceSide>();

  /** `open` gives the driver, when a message first lies in a device's memory. */
  constructor(open: () => Driver = openCuda) {
    this.#pools = new RoutePools(open);
  }

  /** GPUs that this process sees. Throws a DriverError where there is no driver. */
  get count(): number {
    const { availability } = this.#pools;
    if (availability.ok) return availability.driver.devices.length;
    throw new DriverError("driver", undefined, availability.reason);
  }

  /**
   * The side of a buffer of device memory. Throws a BridgeError for a buffer that says no device or address, a
   * DriverError where there is no such device.
   */
  of({ device = 0, address }: Buffer): DeviceSide {
    if (address === undefined) throw new BridgeError("memory of a message", "device memory with an address", "none");
    return this.on(device);
  }

  /** The GPU of an ordinal. Throws a DriverError where there is none such. */
  on(device: number): DeviceSide {
    const known = this.#sides.get(device);
    if (known !== undefined) return known;
    const side = new DeviceSide(this.#pools.on(device).context);
    this.#sides.set(device, side);
    return side;
  }

  [Symbol.dispose](): void {
    this.opened[Symbol.dispose]();
    for (const side of this.#sides.values()) side[Symbol.dispose]();
    this.#sides.clear();
    this.#pools[Symbol.dispose]();
  }
}
