import { denseLayout, isDenseLayout, type Layout } from "@stowage/ir";

/**
 * Bytes from one layout to another of the same size, paired in packed order. A dense target makes it a pack, a
 * dense source an unpack; where neither is dense it copies from layout to layout.
 */
export interface Move {
  readonly source: Layout;
  readonly target: Layout;
}

export type Direction = "pack" | "unpack" | "copy";

export function packMove(source: Layout): Move {
  return Object.freeze({ source, target: denseLayout(source.sizeBytes) });
}

export function unpackMove(target: Layout): Move {
  return Object.freeze({ source: denseLayout(target.sizeBytes), target });
}

/** Throws a RangeError where the sizes differ: there would be no byte to pair with. */
export function copyMove(source: Layout, target: Layout): Move {
  if (source.sizeBytes !== target.sizeBytes) {
    throw new RangeError(`target of a copy: expected ${source.sizeBytes} bytes an element, got ${target.sizeBytes}`);
  }
  return Object.freeze({ source, target });
}

/** Where both sides are dense, the move counts as a pack. */
export function directionOf(move: Move): Direction {
  if (isDenseLayout(move.target)) return "pack";
  return isDenseLayout(move.source) ? "unpack" : "copy";
}

/** The side of a move that is not the packed stream; of a copy, its source. */
export function scatteredLayout(move: Move): Layout {
  return directionOf(move) === "unpack" ? move.target : move.source;
}
