import { sequence } from "../layout/sequence.js";
import { EMPTY_PIECE, type Piece } from "./piece.js";

/** Pieces one after another in the packed stream. Empty ones are left out; a single one stands for itself. */
export function inSequence(pieces: readonly Piece[]): Piece {
  const full = pieces.filter((piece) => piece.node.sizeBytes > 0);
  if (full.length === 0) return EMPTY_PIECE;
  if (full.length === 1) return full[0] as Piece;
  return { offsetBytes: 0, node: sequence(full) };
}
