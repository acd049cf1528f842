import { isAddressSpace, bufferOriginOf, type Binding, type Span } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";

export interface RegionShift {
  readonly startBytes: number;
  /** What to add to an offset from there on, to have its address. */
  readonly deltaBytes: number;
}

/** Where one side of a transfer lies. */
export interface SidePlace {
  /** The address that offsets count from; in an address space of several buffers, the offset. */
  readonly baseBytes: number;
  /** Empty where one buffer holds all. */
  readonly regions: readonly RegionShift[];
}

/**
 * The address of an element's own address 0, `aheadBytes` behind the first one's. The bindings have been checked:
 * what is reached is there.
 */
export function placeSide(layout: Layout, aheadBytes: number, span: Span, range: Binding): SidePlace {
  const held = bufferOriginOf(layout, span, range);
  if (held !== undefined) {
    return { baseBytes: (held.buffer.address ?? 0) + held.originBytes + aheadBytes, regions: [] };
  }
  const regions = isAddressSpace(span.memory)
    ? span.memory.regions.map(({ startBytes, buffer }) => ({
        startBytes,
        deltaBytes: (buffer.address ?? 0) - startBytes,
      }))
    : [];
  return { baseBytes: span.originBytes + aheadBytes, regions };
}
