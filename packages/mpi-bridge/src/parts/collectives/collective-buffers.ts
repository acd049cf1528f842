import type { Message } from "../../message/place/message.js";
import type { BufferLike } from "@stowage/selector";
import type { TypeLike } from "../../message/datatype/type-cache.js";
import type { IN_PLACE } from "../../constants.js";

/** The constant IN_PLACE, as a type. */
export type InPlace = typeof IN_PLACE;

/**
 * Parts of one buffer, one for each rank, or for each neighbour in a neighbour collective; the lists have an entry a
 * part.
 */
export interface Parts {
  readonly buffer: BufferLike;
  readonly datatype: TypeLike;
  /** Elements of each part. */
  readonly counts: readonly number[];
  /** Where each part begins, in extents of the datatype from the buffer's start. Default: one part after another. */
  readonly displacements?: readonly number[];
}

/**
 * Parts of one buffer, one for each rank, or for each neighbour in a neighbour collective, each of a datatype of its
 * own; the lists have an entry a part.
 */
export interface TypedParts {
  readonly buffer: BufferLike;
  readonly datatypes: readonly TypeLike[];
  /** Elements of each part. */
  readonly counts: readonly number[];
  /** Where each part's datatype has its address 0, in bytes from the buffer's start. */
  readonly displacementsBytes: readonly number[];
}

/** A buffer of a collective, and whether it takes the place of another. */
export type Given = Message | InPlace;
