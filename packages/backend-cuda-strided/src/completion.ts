import type { Completion } from "@stowage/backend-api";
import type { Context, Event } from "@stowage/cuda-driver";
import { onDevice } from "./device-error.js";

/** The end of a plan's latest run: an event recorded behind its work, asked or waited for. */
export class EventCompletion implements Completion, Disposable {
  readonly #event: Event;

  constructor(context: Context) {
    this.#event = context.event();
  }

  record(stream: { readonly handle: number }): this {
    this.#event.record(stream);
    return this;
  }

  poll(): boolean {
    return onDevice(() => this.#event.query());
  }

  wait(): void {
    onDevice(() => this.#event.synchronize());
  }

  [Symbol.dispose](): void {
    this.#event[Symbol.dispose]();
  }
}
