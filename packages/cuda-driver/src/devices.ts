import { DriverError } from "./check.js";
import type { Context } from "./context.js";
import { openCuda, tryOpen, type Availability, type Driver } from "./driver.js";
import type { Stream } from "./stream.js";

/** The devices that one backend works on: opened when first asked for, and entered one context a device. */
export class Devices {
  readonly #open: () => Driver;
  #availability: Availability | undefined;
  readonly #contexts = new Map<number, Context>();
  readonly #streams = new Map<number, Stream>();

  constructor(open: () => Driver = openCuda) {
    this.#open = open;
  }

  /** Whether there is a driver with a device; where not, why, in one line. */
  get availability(): Availability {
    return (this.#availability ??= tryOpen(this.#open));
  }

  /** Throws a DriverError where there is none. */
  get driver(): Driver {
    const found = this.availability;
    if (found.ok) return found.driver;
    throw new DriverError("driver", undefined, found.reason);
  }

  context(ordinal: number): Context {
    const known = this.#contexts.get(ordinal) ?? this.driver.context(ordinal);
    this.#contexts.set(ordinal, known);
    return known;
  }

  /** The stream that work goes to where its caller named none. */
  stream(ordinal: number): Stream {
    const known = this.#streams.get(ordinal) ?? this.context(ordinal).stream();
    this.#streams.set(ordinal, known);
    return known;
  }
}
