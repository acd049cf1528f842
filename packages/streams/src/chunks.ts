import { BindingError } from "@stowage/backend-api";
import type { Committed } from "@stowage/engine";

/** What a chunked pack or unpack may be told. */
export interface ChunkOptions {
  /** Elements of the datatype. Default: 1. */
  readonly count?: number;
  /** Ends the work: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a chunked pack may be told besides. */
export interface PackOptions extends ChunkOptions {
  /** Bytes of every chunk but the last. Default: 65,536. */
  readonly chunkBytes?: number;
}

export const DEFAULT_CHUNK_BYTES = 65_536;

/** Bytes of the packed stream of `count` elements. Throws a BindingError where the count is none. */
export function packedBytes({ layout }: Pick<Committed, "layout">, count = 1): number {
  const bytes = count * layout.sizeBytes;
  if (Number.isSafeInteger(count) && count >= 0 && Number.isSafeInteger(bytes)) return bytes;
  throw new BindingError(
    "count of a packed stream",
    "an integer from 0 on, of at most 2^53 - 1 bytes packed",
    String(count),
  );
}

/** Throws a BindingError for what plain JavaScript hands over in place of an object. */
export function requireObject(subject: string, value: unknown): void {
  if (typeof value !== "object" || value === null)
    throw new BindingError(subject, "an object", value === null ? "null" : typeof value);
}

/** Throws a BindingError where a chunk would hold no byte, or a part of one. */
export function requireChunkBytes(chunkBytes: number): number {
  if (Number.isSafeInteger(chunkBytes) && chunkBytes > 0) return chunkBytes;
  throw new BindingError("bytes of a chunk", "an integer above 0", String(chunkBytes));
}
