import type { Bounds } from "../bounds/bounds.js";
import type { Datatype } from "../datatype/datatype.js";
import { EMPTY } from "../layout/dense.js";
import type { Member } from "../layout/node.js";
import { sequence } from "../layout/sequence.js";
import { stream } from "../layout/stream.js";

/** A lowered datatype: a layout node, and where its zero lies from the datatype's address 0. */
export type Piece = Member;

export const EMPTY_PIECE: Piece = Object.freeze({ offsetBytes: 0, node: EMPTY });

/** What lowering one constructor needs of its child: the child's own lowering and its bounds. */
export interface LoweredChild {
  readonly piece: Piece;
  readonly extentBytes: number;
}

/** How a constructor of many children reaches them. */
export interface Children {
  readonly pieceOf: (child: Datatype) => Piece;
  readonly boundsOfChild: (child: Datatype) => Bounds;
}

/** `count` copies of a piece, `strideBytes` apart. A shift of every copy is a shift of the whole. */
export function copies(count: number, strideBytes: number, piece: Piece): Piece {
  if (count === 0 || piece.node.sizeBytes === 0) return EMPTY_PIECE;
  if (count === 1) return piece;
  return { offsetBytes: piece.offsetBytes, node: stream(count, strideBytes + 0, piece.node) };
}

export function moved(piece: Piece, byBytes: number): Piece {
  return { offsetBytes: piece.offsetBytes + byBytes, node: piece.node };
}

/** Pieces one after another in the packed stream. Empty ones are left out; a single one stands for itself. */
export function inSequence(pieces: readonly Piece[]): Piece {
  const full = pieces.filter((piece) => piece.node.sizeBytes > 0);
  if (full.length === 0) return EMPTY_PIECE;
  if (full.length === 1) return full[0] as Piece;
  return { offsetBytes: 0, node: sequence(full) };
}
