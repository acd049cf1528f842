import { ArgumentError, denseLayout, isDenseLayout, quoted, requireLayout, type Layout } from "@stowage/ir";

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
  requireLayout(source, "source of a pack");
  return Object.freeze({ source, target: denseLayout(source.sizeBytes) });
}

export function unpackMove(target: Layout): Move {
  requireLayout(target, "target of an unpack");
  return Object.freeze({ source: denseLayout(target.sizeBytes), target });
}

/** Throws an ArgumentError where the sizes differ: there would be no byte to pair with. */
export function copyMove(source: Layout, target: Layout): Move {
  requireLayout(source, "source of a copy");
  requireLayout(target, "target of a copy");
  if (source.sizeBytes !== target.sizeBytes) {
    throw new ArgumentError("target of a copy", `${source.sizeBytes} bytes an element`, String(target.sizeBytes));
  }
  return Object.freeze({ source, target });
}

/** Where both sides are dense, the move counts as a pack. */
export function directionOf(move: Move): Direction {
  requireMove(move);
  if (isDenseLayout(move.target)) return "pack";
  return isDenseLayout(move.source) ? "unpack" : "copy";
}

/** The side of a move that is not the packed stream; of a copy, its source. */
export function scatteredLayout(move: Move): Layout {
  return directionOf(move) === "unpack" ? move.target : move.source;
}

/** Throws an ArgumentError where plain JavaScript handed over something that is no move. */
export function requireMove(move: Move, subject = "move"): Move {
  if (typeof move !== "object" || (move as Move | null) === null)
    throw new ArgumentError(subject, "{ source, target }", quoted(move));
  requireLayout(move.source, `source of a ${subject}`);
  requireLayout(move.target, `target of a ${subject}`);
  return move;
}

/** The same for a list of moves, as a backend's methods take one. */
export function requireMoves(moves: readonly Move[]): readonly Move[] {
  if (!(Array.isArray as (value: unknown) => boolean)(moves)) throw new ArgumentError("moves", "a list", quoted(moves));
  for (const move of moves) requireMove(move);
  return moves;
}
