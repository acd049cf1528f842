import { BindingError } from "@stowage/backend-api";
import type { Committed } from "@stowage/engine";
import { quoted } from "@stowage/ir";

/** Options of a chunked pack or unpack. */
export interface ChunkOptions {
  /** How many elements of the datatype. Default: 1. */
  readonly count?: number;
  /** A signal that ends the work, which then throws the signal's reason. Default: none. */
  readonly signal?: AbortSignal;
}

/** Options of a chunked pack. */
export interface PackOptions extends ChunkOptions {
  /** Bytes of every chunk but the last, 1 or more. Default: 65,536. */
  readonly chunkBytes?: number;
}

export const DEFAULT_CHUNK_BYTES = 65_536;

/** The options, with their defaults. Throws a BindingError for what plain JavaScript hands over in place of them. */
export function chunkOptions(options: ChunkOptions): { readonly count: number; readonly signal?: AbortSignal } {
  requireObject("options of a packed stream", options);
  const { count = 1, signal } = options;
  if (signal === undefined) return { count };
  if (!(signal instanceof AbortSignal))
    throw new BindingError("signal of a packed stream", "an AbortSignal", quoted(signal));
  return { count, signal };
}

/** Bytes of the packed stream of `count` elements. Throws a BindingError where there are no such elements. */
export function packedBytes(committed: Pick<Committed, "layout">, count: number): number {
  requireObject("committed datatype", committed);
  requireObject("layout of a committed datatype", committed.layout);
  const bytes = Number.isSafeInteger(count) ? count * committed.layout.sizeBytes : NaN;
  if (Number.isSafeInteger(bytes) && count >= 0) return bytes;
  throw new BindingError(
    "count of a packed stream",
    "an integer from 0 on, of at most 2^53 - 1 bytes packed",
    quoted(count),
  );
}

function requireObject(subject: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw new BindingError(subject, "an object", quoted(value));
}

/** Throws a BindingError where there is nothing to take chunks from. */
export function requireStream(stream: unknown): void {
  // A typed array is iterable, of numbers: it is one chunk, not a stream of them.
  const isObject = typeof stream === "object" && stream !== null && !ArrayBuffer.isView(stream);
  if (isObject && (Symbol.asyncIterator in stream || Symbol.iterator in stream)) return;
  throw new BindingError("packed stream", "a stream or an iterator of chunks", quoted(stream));
}

/** Throws a BindingError where a chunk would hold no byte, or a part of one. */
export function requireChunkBytes(chunkBytes: number): number {
  if (Number.isSafeInteger(chunkBytes) && chunkBytes > 0) return chunkBytes;
  throw new BindingError("bytes of a chunk", "an integer above 0", quoted(chunkBytes));
}
