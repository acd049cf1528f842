import { isDenseLayout, layout, type Layout } from "@stowage/ir";
import { directionOf, type Move } from "../move.js";

/** A side of a move that is no packed stream, and whether it is read or written. */
export interface ScatteredSide {
  readonly direction: "pack" | "unpack";
  readonly layout: Layout;
}

/**
 * One side of a pack or an unpack; of a copy both, as if it packed and unpacked. A reduction is taken for an unpack,
 * and elements that a table places for elements with gaps between them.
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
