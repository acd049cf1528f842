import { Fifo } from "./fifo.js";

/** Tags are 31-bit, so that a rank and a tag are one safe integer. */
const TAGS = 2 ** 31;

/** Things that wait under a source and a tag, found by a hash: in constant time, however many wait. */
export class ByEnvelope<T> {
  readonly #queues = new Map<number, Fifo<T>>();

  add(source: number, tag: number, item: T): void {
    const key = source * TAGS + tag;
    const queue = this.#queues.get(key);
    if (queue !== undefined) return queue.push(item);
    const made = new Fifo<T>();
    made.push(item);
    this.#queues.set(key, made);
  }

  /** The one that waits longest under this source and tag. */
  take(source: number, tag: number): T | undefined {
    const key = source * TAGS + tag;
    const queue = this.#queues.get(key);
    const item = queue?.shift();
    if (queue?.isEmpty === true) this.#queues.delete(key);
    return item;
  }
}
