import { isAddressSpace, placeOf, type Binding, type Span } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { commonAlignment } from "../encode/granularity.js";
import type { EncodedLayout } from "../encode/encode-layout.js";

export interface RegionShift {
  readonly startBytes: number;
  /** What to add to an offset from there on, to have its address. */
  readonly deltaBytes: number;
}

/** Where one side of a message lies. */
export interface SidePlace {
  /** The address of element 0's layout start; in an address space of several buffers, its offset. */
  readonly baseBytes: number;
  /** Empty where one buffer holds all. */
  readonly regions: readonly RegionShift[];
  /** The largest power of two up to 16 that divides every address that a whole offset gives. */
  readonly alignment: number;
}

/** The bindings have been checked: what is reached is there. */
export function placeSide(layout: Layout, encoded: EncodedLayout, span: Span, range: Binding): SidePlace {
  const place = placeOf(layout, span, range);
  if (place !== undefined) {
    const baseBytes = (place.buffer.address ?? 0) + place.originBytes + encoded.startBytes;
    return { baseBytes, regions: [], alignment: commonAlignment([baseBytes]) };
  }
  const baseBytes = span.originBytes + encoded.startBytes;
  const regions = isAddressSpace(span.memory)
    ? span.memory.regions.map(({ startBytes, buffer }) => ({ startBytes, deltaBytes: (buffer.address ?? 0) - startBytes }))
    : [];
  const alignment = commonAlignment([baseBytes, ...regions.map(({ deltaBytes }) => deltaBytes)]);
  return { baseBytes, regions, alignment };
}
