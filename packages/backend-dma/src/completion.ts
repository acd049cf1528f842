import type { Completion } from "@stowage/backend-api";
import type { Context, Event } from "@stowage/cuda-driver";
import { onDevice } from "./device-error.js";

/**
 * The end of a plan's latest run. Its event is recorded when somebody first asks: work that its caller follows by
 * the stream pays for no event, and whoever asks after sending more to the stream is answered when that is done too.
 */
export class EventCompletion implements Completion, Disposable {
  readonly #event: Event;
  #unrecorded: { readonly handle: number } | undefined;

  constructor(context: Context) {
    this.#event = context.event();
  }

  /** The latest run went to this stream. */
  follow(stream: { readonly handle: number }): this {
    this.#unrecorded = stream;
    return this;
  }

  poll(): boolean {
    return onDevice(() => {
      this.#record();
      return this.#event.query();
    });
  }

  wait(): void {
    onDevice(() => {
      this.#record();
      this.#event.synchronize();
    });
  }

  [Symbol.dispose](): void {
    this.#event[Symbol.dispose]();
  }

  #record(): void {
    if (this.#unrecorded === undefined) return;
    this.#event.record(this.#unrecorded);
    this.#unrecorded = undefined;
  }
}
