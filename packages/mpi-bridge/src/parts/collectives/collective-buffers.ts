import type { Message } from "../../message/place/message.js";
import type { BufferLike } from "@stowage/selector";
import type { TypeLike } from "../../message/datatype/type-cache.js";
import type { IN_PLACE } from "../../constants.js";

export type InPlace = typeof IN_PLACE;

/** Parts of one buffer for each rank: so many elements each, from displacements that count extents. */
export interface Parts {
  readonly buffer: BufferLike;
  readonly datatype: TypeLike;
  readonly counts: readonly number[];
  /** Default: one part after another. */
  readonly displacements?: readonly number[];
}

/** Parts of one buffer for each rank, each of a datatype of its own; displacements are bytes. */
export interface TypedParts {
  readonly buffer: BufferLike;
  readonly datatypes: readonly TypeLike[];
  readonly counts: readonly number[];
  readonly displacementsBytes: readonly number[];
}

/** A buffer of a collective, and whether it takes the place of another. */
export type Given = Message | InPlace;
