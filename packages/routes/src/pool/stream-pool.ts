import type { Context, OwnStream } from "@stowage/cuda-driver";

/** Streams for copies: one that has nothing to do where there is one, else the one that was taken longest ago. */
export class StreamPool implements Disposable {
  readonly #context: Context;
  readonly #most: number;
  readonly #streams: OwnStream[] = [];

  constructor(context: Context, most: number) {
    this.#context = context;
    this.#most = most;
  }

  get size(): number {
    return this.#streams.length;
  }

  take(): OwnStream {
    const idle = this.#streams.findIndex((stream) => stream.query());
    const at = idle >= 0 ? idle : this.#streams.length < this.#most ? -1 : 0;
    const stream = at < 0 ? this.#context.stream({ priority: "high" }) : (this.#streams.splice(at, 1)[0] as OwnStream);
    this.#streams.push(stream);
    return stream;
  }

  [Symbol.dispose](): void {
    for (const stream of this.#streams) stream[Symbol.dispose]();
    this.#streams.length = 0;
  }
}
