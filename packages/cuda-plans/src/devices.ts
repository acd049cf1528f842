import { BindingError, type Binding } from "@stowage/backend-api";
import { DriverError, openCuda, tryOpen, type Availability, type Context, type Driver } from "@stowage/cuda-driver";
import { devicesOf, type RunsOn } from "./device-of.js";

/**
 * The devices that one backend works on: opened when first asked for, and entered one context a device. Disposing of it
 * releases the contexts; plans that used them must be disposed of, or never run again.
 */
export class Devices implements Disposable {
  readonly #open: () => Driver;
  #opened: Availability | undefined;
  readonly #contexts = new Map<number, Context>();
  readonly #runsOn: RunsOn;
  #disposed = false;

  /** `open` opens the driver, when it is first needed. Throws a DriverError for what is no function. */
  constructor(open: () => Driver = openCuda, runsOn: RunsOn = "source") {
    if (typeof open !== "function")
      throw new DriverError("driver of a backend", undefined, `expected a function that opens it, got ${typeof open}`);
    this.#open = open;
    this.#runsOn = runsOn;
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

  /** The driver. Throws a DriverError where there is none. */
  get driver(): Driver {
    const opened = this.#once();
    if (opened.ok) return opened.driver;
    throw new DriverError("driver", undefined, opened.reason);
  }

  #once(): Availability {
    return (this.#opened ??= tryOpen(this.#open));
  }

  /**
   * The context of device number `ordinal`, retained at the first call. Throws a DriverError where there is no such
   * device, or where this was disposed of.
   */
  context(ordinal: number): Context {
    if (this.#disposed) throw new DriverError("devices", undefined, "expected one in use, got a disposed one");
    const known = this.#contexts.get(ordinal) ?? this.driver.context(ordinal);
    this.#contexts.set(ordinal, known);
    return known;
  }

  /**
   * The context that a kernel on these bindings runs in, with access to the memory of every other device that they
   * name. Throws a BindingError where one device does not reach another's memory, and a DriverError.
   */
  contextFor(bindings: readonly Binding[]): Context {
    const [own, ...others] = devicesOf(bindings, this.#runsOn);
    const context = this.context(own);
    for (const other of others) if (!context.reaches(other)) reach(context, this.context(other));
    return context;
  }

  /** Releases all contexts. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const context of this.#contexts.values()) context[Symbol.dispose]();
  }
}

function reach(context: Context, peer: Context): void {
  if (context.canReach(peer)) return context.enablePeer(peer);
  const [own, other] = [context.device.ordinal, peer.device.ordinal];
  throw new BindingError("devices of a plan", `memory that device ${own} reaches`, `memory of device ${other}`);
}
