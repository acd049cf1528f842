import type { Completion } from "@stowage/backend-api";
import type { Context, Event, StreamHandle } from "@stowage/cuda-driver";
import { asDeviceError } from "./device-errors.js";
import type { Marker } from "./marker.js";

/** The end of what a plan sent to one queue: there, a later run being over means that the earlier ones are. */
class EventCompletion implements Completion, Disposable {
  readonly #event: Event;

  constructor(event: Event) {
    this.#event = event;
  }

  record(queue: StreamHandle): void {
    this.#event.record(queue);
  }

  poll(): boolean {
    try {
      return this.#event.query();
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  wait(): void {
    try {
      this.#event.synchronize();
    } catch (error) {
      throw asDeviceError(error);
    }
  }

  [Symbol.dispose](): void {
    this.#event[Symbol.dispose]();
  }
}

/** The completions of one plan, with an event for each queue that it ran on: a run allocates nothing. */
export class Completions implements Marker {
  readonly #context: Context;
  readonly #byQueue = new Map<number, EventCompletion>();
  #latest: EventCompletion | undefined;
  #latestHandle = -1;

  /** Makes no event yet. */
  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Marks the end of what the queue holds now. The completion is one for all runs on the queue: it is over when the
   * latest is. Throws a DriverError where the driver fails.
   */
  record(queue: StreamHandle): Completion {
    const { handle } = queue;
    if (this.#latest === undefined || handle !== this.#latestHandle) {
      this.#latest = this.#of(handle);
      this.#latestHandle = handle;
    }
    this.#latest.record(queue);
    return this.#latest;
  }

  /** Waits until all that was marked is over. */
  wait(): void {
    for (const completion of this.#byQueue.values()) completion.wait();
  }

  /** Destroys the events. */
  [Symbol.dispose](): void {
    for (const completion of this.#byQueue.values()) completion[Symbol.dispose]();
    this.#byQueue.clear();
    this.#latest = undefined;
  }

  #of(handle: number): EventCompletion {
    const known = this.#byQueue.get(handle);
    if (known !== undefined) return known;
    const made = new EventCompletion(this.#context.event());
    this.#byQueue.set(handle, made);
    return made;
  }
}
