import { hostMemory, type Memory, type Span } from "@stowage/backend-api";

/** Memory as callers have it: a view, a memory, or a span that says where the datatype's address 0 lies. */
export type Place = ArrayBufferView | ArrayBufferLike | Memory | Span;

export function spanOf(place: Place): Span {
  if ("originBytes" in place) return place;
  if ("byteLength" in place) return { memory: hostMemory(place), originBytes: 0 };
  return { memory: place, originBytes: 0 };
}
