import { openCuda, type Availability, type Driver } from "@stowage/cuda-driver";
import { Devices } from "@stowage/cuda-plans";
import type { PoolLimits } from "./limits.js";
import { RoutePool } from "./route-pool.js";

/** The pools of the devices that routes have been used on, one a device. */
export class RoutePools implements Disposable {
  readonly #devices: Devices;
  readonly #limits: Partial<PoolLimits>;
  readonly #pools = new Map<number, RoutePool>();

  /** `open` gives the driver, when first needed. */
  constructor(open: () => Driver = openCuda, limits: Partial<PoolLimits> = {}) {
    this.#devices = new Devices(open);
    this.#limits = limits;
  }

  /** Whether there is a driver and a device; where not, why. */
  get availability(): Availability {
    return this.#devices.availability;
  }

  /** The pool of a device, by its CUDA ordinal; made when first asked for. Throws a DriverError for no such device. */
  on(device: number): RoutePool {
    const known = this.#pools.get(device) ?? new RoutePool(this.#devices.context(device), this.#limits);
    this.#pools.set(device, known);
    return known;
  }

  /** Frees the buffers that nobody uses, on every device. */
  shrink(): void {
    for (const pool of this.#pools.values()) pool.shrink();
  }

  [Symbol.dispose](): void {
    for (const pool of this.#pools.values()) pool[Symbol.dispose]();
    this.#pools.clear();
    this.#devices[Symbol.dispose]();
  }
}
