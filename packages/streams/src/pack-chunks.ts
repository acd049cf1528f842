import { hostMemory } from "@stowage/backend-api";
import type { Committed } from "@stowage/engine";
import { chunkOptions, DEFAULT_CHUNK_BYTES, packedBytes, requireChunkBytes, type PackOptions } from "./chunks.js";

type Source = Parameters<Committed["pack"]>[0];

/**
 * Packs `count` elements at `source`, in order, in chunks of a fixed size, the last of what is left.
 * Each chunk is packed when it is asked for and is memory of its own. The source must stay as it is until the last one.
 * Throws a BindingError where the arguments do not fit, before the first chunk where they never can; the reason of a
 * signal that was aborted.
 *
 * @example
 * ```typescript
 * for (const chunk of packChunks(committed, matrix, { chunkBytes: 4096 })) socket.write(chunk);
 * ```
 */
export function packChunks(
  committed: Pick<Committed, "layout" | "pack">,
  source: Source,
  options: PackOptions = {},
): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { count, signal } = chunkOptions(options);
  const { chunkBytes = DEFAULT_CHUNK_BYTES } = options;
  return chunks(committed, source, count, packedBytes(committed, count), requireChunkBytes(chunkBytes), signal);
}

function* chunks(
  committed: Pick<Committed, "pack">,
  source: Source,
  count: number,
  endBytes: number,
  chunkBytes: number,
  signal: AbortSignal | undefined,
): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let first = 0; first < endBytes; first += chunkBytes) {
    signal?.throwIfAborted();
    const chunk = new Uint8Array(Math.min(chunkBytes, endBytes - first));
    const target = { memory: hostMemory(chunk), originBytes: -first };
    committed.pack(source, target, { count, first, length: chunk.length }).wait();
    yield chunk;
  }
}

/**
 * Packs chunk by chunk as packChunks does, as a Web stream: a chunk is packed when the reader has taken the one before.
 * Throws at once, or fails the stream, as packChunks throws.
 */
export function packedStream(
  committed: Pick<Committed, "layout" | "pack">,
  source: Source,
  options: PackOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = packChunks(committed, source, options);
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        chunks.return();
      },
    },
    { highWaterMark: 1 },
  );
}
