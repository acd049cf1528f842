import type { Layout } from "@stowage/ir";
import { directionOf, type Move } from "../move.js";

/** A side of a move that is no packed stream, and whether it is read or written. */
export interface ScatteredSide {
  readonly direction: "pack" | "unpack";
  readonly layout: Layout;
}

/**
 * One side of a pack or an unpack; of a copy both, as if it packed and unpacked. A reduction is taken for an unpack.
 */
export function scatteredSides(move: Move): readonly ScatteredSide[] {
  const { source, target } = move;
  const read: ScatteredSide = { direction: "pack", layout: source };
  const written: ScatteredSide = { direction: "unpack", layout: target };
  const direction = directionOf(move);
  if (direction === "copy") return [read, written];
  return [direction === "pack" ? read : written];
}
