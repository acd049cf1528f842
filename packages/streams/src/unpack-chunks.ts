import { BindingError, hostMemory } from "@stowage/backend-api";
import type { Committed } from "@stowage/engine";
import { quoted } from "@stowage/ir";
import { chunkOptions, packedBytes, requireStream, type ChunkOptions } from "./chunks.js";
import { abortable } from "./abortable.js";

type Target = Parameters<Committed["unpack"]>[1];

/**
 * Unpacks a stream as it arrives, in chunks of any size: a Node stream, a Web stream, an iterator. A chunk is taken
 * when the one before is unpacked, so that a slow target slows its source. Resolves once `count` elements are there.
 * Where it rejects, what arrived is unpacked, and the stream is closed: a BindingError where the stream is shorter or
 * longer than the elements, the signal's reason, or the stream's own error.
 */
export async function unpackChunks(
  committed: Pick<Committed, "layout" | "unpack">,
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  target: Target,
  options: ChunkOptions = {},
): Promise<void> {
  const { count, signal } = chunkOptions(options);
  const arrival = new Arrival(committed, target, count);
  requireStream(stream);
  for await (const chunk of abortable(stream, signal)) arrival.unpack(chunk);
  arrival.end();
}

/**
 * Unpacks chunks as unpackChunks does, as the end of a Web stream: `response.body.pipeTo(unpackingStream(...))`. Throws
 * a BindingError for arguments that do not fit; the stream fails as unpackChunks rejects.
 */
export function unpackingStream(
  committed: Pick<Committed, "layout" | "unpack">,
  target: Target,
  options: ChunkOptions = {},
): WritableStream<Uint8Array> {
  const { count, signal } = chunkOptions(options);
  const arrival = new Arrival(committed, target, count);
  return new WritableStream({
    write(chunk) {
      signal?.throwIfAborted();
      arrival.unpack(chunk);
    },
    close: () => arrival.end(),
  });
}

/** How much of a packed stream has arrived and is unpacked. */
class Arrival {
  readonly #committed: Pick<Committed, "unpack">;
  readonly #target: Target;
  readonly #count: number;
  readonly #endBytes: number;
  #first = 0;

  constructor(committed: Pick<Committed, "layout" | "unpack">, target: Target, count: number) {
    this.#committed = committed;
    this.#target = target;
    this.#count = count;
    this.#endBytes = packedBytes(committed, count);
  }

  unpack(chunk: Uint8Array): void {
    if (!ArrayBuffer.isView(chunk)) throw new BindingError("chunk of a packed stream", "bytes", quoted(chunk));
    const first = this.#first;
    const length = chunk.byteLength;
    if (first + length > this.#endBytes) {
      throw new BindingError("packed stream", `${this.#endBytes} bytes`, `${first + length} or more`);
    }
    const source = { memory: hostMemory(chunk), originBytes: -first };
    this.#committed.unpack(source, this.#target, { count: this.#count, first, length }).wait();
    this.#first += length;
  }

  end(): void {
    if (this.#first === this.#endBytes) return;
    throw new BindingError("packed stream", `${this.#endBytes} bytes`, `its end after ${this.#first}`);
  }
}
