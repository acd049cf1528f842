import { DriverError, openCuda, tryOpen, type Availability, type Context, type Driver } from "@stowage/cuda-driver";

/**
 * The devices that one backend works on: opened when first asked for, and entered one context a device. Disposing of it
 * lets go of the contexts; plans that used them must be disposed of, or never run again.
 */
export class Devices implements Disposable {
  readonly #open: () => Driver;
  #opened: Availability | undefined;
  readonly #contexts = new Map<number, Context>();
  #disposed = false;

  constructor(open: () => Driver = openCuda) {
    if (typeof open !== "function")
      throw new DriverError("driver of a backend", undefined, `expected a function that opens it, got ${typeof open}`);
    this.#open = open;
  }

  /** Whether there is a driver with a device that was not lost; where not, why, in one line. */
  get availability(): Availability {
    const opened = this.#once();
    return opened.ok ? opened.driver.availability : opened;
  }

  /** Whether there is, besides, a device new enough for kernels. */
  get kernelAvailability(): Availability {
    const opened = this.#once();
    return opened.ok ? opened.driver.kernelAvailability : opened;
  }

  /** Throws a DriverError where there is none. */
  get driver(): Driver {
    const opened = this.#once();
    if (opened.ok) return opened.driver;
    throw new DriverError("driver", undefined, opened.reason);
  }

  #once(): Availability {
    return (this.#opened ??= tryOpen(this.#open));
  }

  /** Throws a DriverError where there is no such device, or where this was disposed of. */
  context(ordinal: number): Context {
    if (this.#disposed) throw new DriverError("devices", undefined, "expected one in use, got a disposed one");
    const known = this.#contexts.get(ordinal) ?? this.driver.context(ordinal);
    this.#contexts.set(ordinal, known);
    return known;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const context of this.#contexts.values()) context[Symbol.dispose]();
  }
}
