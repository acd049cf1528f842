import type { Ndarray, StridedArray } from "@stowage/arrays";
import type { Span } from "@stowage/backend-api";
import type { BufferLike } from "@stowage/selector";
import type { TypeLike } from "../datatype/type-cache.js";

/**
 * Elements of a datatype in memory; the datatype's address 0 lies at the start of the buffer, or where its span says.
 */
export interface Elements {
  readonly buffer: BufferLike;
  readonly datatype: TypeLike;
  /** How many elements of the datatype. Default: as many as the buffer holds. */
  readonly count?: number;
}

/** An ndarray of scijs or stdlib; without `dtype` its elements are those of its data. */
export type NdarrayLike = Omit<Ndarray, "dtype"> & { readonly dtype?: string };

/** What a message is sent from or received into. Of a span alone, the bytes from its origin on. */
export type Message = ArrayBufferView | NdarrayLike | StridedArray | Span | Elements;
