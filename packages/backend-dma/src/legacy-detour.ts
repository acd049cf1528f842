import type { Context, Event, OwnStream, StreamHandle } from "@stowage/cuda-driver";
import { LEGACY_STREAM } from "@stowage/cuda-plans";

/**
 * Work that the legacy default stream does not take, as cuMemcpyBatchAsync, in a stream of our own: an event of the
 * legacy stream goes before it, and the legacy stream waits for an event behind it, so that its order is kept.
 */
export class LegacyDetour implements Disposable {
  readonly #own: OwnStream;
  readonly #before: Event;
  readonly #behind: Event;

  constructor(context: Context) {
    this.#own = context.stream();
    this.#before = context.event();
    this.#behind = context.event();
  }

  send(work: (stream: StreamHandle) => void): void {
    this.#before.record(LEGACY_STREAM);
    this.#before.holdUp(this.#own);
    work(this.#own);
    this.#behind.record(this.#own);
    this.#behind.holdUp(LEGACY_STREAM);
  }

  [Symbol.dispose](): void {
    for (const held of [this.#before, this.#behind, this.#own]) held[Symbol.dispose]();
  }
}
