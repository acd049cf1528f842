import { ArgumentError, boxBytes, quoted, type Box, type PackedBox } from "@stowage/ir";
import type { AddressAt } from "./address-at.js";

/** A box that lies within one region. */
export interface PlacedBox extends PackedBox {
  /** The address that the box's offsets count from. */
  readonly originAddress: number;
}

/**
 * Cuts a box until each part lies within one region: halves of the outermost dimension, and rows where regions touch.
 * `at` finds addresses by offset, as addressesOf gives them. Throws an ArgumentError for what is no box or no function,
 * and what `at` throws for a byte in no region.
 */
export function withinRegions(at: AddressAt, placed: PackedBox): Generator<PlacedBox> {
  if (typeof at !== "function") throw new ArgumentError("addresses of a box", "a function of offsets", quoted(at));
  if (typeof placed !== "object" || (placed as PackedBox | null) === null || !Number.isSafeInteger(placed.packedBytes))
    throw new ArgumentError("box in a packed stream", "{ box, packedBytes }", quoted(placed));
  return boxBytes(placed.box) === 0 ? nothing() : partsIn(at, placed);
}

function* nothing(): Generator<never> {}

function* partsIn(at: AddressAt, { box, packedBytes }: PackedBox): Generator<PlacedBox> {
  const { startBytes, rowBytes, dimensions } = box;
  const { lowBytes, highBytes } = reachOf(box);
  const { address, leftBytes } = requirePlace(at(lowBytes));
  const outermost = dimensions.at(-1);
  if (highBytes - lowBytes <= leftBytes) yield { box, packedBytes, originAddress: address - lowBytes };
  else if (outermost === undefined) {
    yield* partsIn(at, { box: { ...box, rowBytes: leftBytes }, packedBytes });
    const rest = { ...box, startBytes: startBytes + leftBytes, rowBytes: rowBytes - leftBytes };
    yield* partsIn(at, { box: rest, packedBytes: packedBytes + leftBytes });
  } else {
    const { count, strideBytes } = outermost;
    const half = Math.floor(count / 2);
    const part = (from: number, length: number): Box => ({
      startBytes: startBytes + from * strideBytes,
      rowBytes,
      dimensions: length === 1 ? dimensions.slice(0, -1) : [...dimensions.slice(0, -1), { count: length, strideBytes }],
    });
    const first = part(0, half);
    yield* partsIn(at, { box: first, packedBytes });
    yield* partsIn(at, { box: part(half, count - half), packedBytes: packedBytes + boxBytes(first) });
  }
}

function requirePlace(place: ReturnType<AddressAt>): ReturnType<AddressAt> {
  if (typeof place === "object" && (place as object | null) !== null && place.leftBytes > 0) return place;
  throw new ArgumentError("addresses of a box", "an address with bytes left in its region", quoted(place));
}

/** The lowest byte of a box is the first of some row, so it lies in a region wherever all rows do. */
function reachOf({ startBytes, rowBytes, dimensions }: Box) {
  const ends = dimensions.map(({ count, strideBytes }) => (count - 1) * strideBytes);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, startBytes);
  return {
    lowBytes: sum(ends.map((end) => Math.min(0, end))),
    highBytes: rowBytes + sum(ends.map((end) => Math.max(0, end))),
  };
}
