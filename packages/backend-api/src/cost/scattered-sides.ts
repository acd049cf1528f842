import { isDenseLayout, layout, type Layout } from "@stowage/ir";
import { directionOf, type Move } from "../move.js";

/** A side of a move that is not the packed stream. */
export interface ScatteredSide {
  /** "pack" where the side is read, "unpack" where it is written. */
  readonly direction: "pack" | "unpack";
  /** The layout of one element of the side. */
  readonly layout: Layout;
}

/**
 * The sides of a move that cost models count: one of a pack or an unpack; both of a copy, as if it packed and unpacked.
 * A reduction counts as an unpack, and elements that a table places count as elements with gaps between them.
 */
export function scatteredSides(move: Move): readonly ScatteredSide[] {
  const { source, target, tables } = move;
  const read: ScatteredSide = { direction: "pack", layout: tables?.source ? apart(source) : source };
  const written: ScatteredSide = { direction: "unpack", layout: tables?.target ? apart(target) : target };
  const direction = directionOf(move);
  if (direction === "copy") return [read, written];
  return [direction === "pack" ? read : written];
}

/** Elements that do not touch: a table may put them anywhere. */
function apart(side: Layout): Layout {
  if (!isDenseLayout(side)) return side;
  return layout(side.startBytes, side.root, { lowerBoundBytes: 0, extentBytes: 2 * side.sizeBytes });
}
