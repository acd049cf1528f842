import type { Datatype, Struct } from "../datatype/datatype.js";
import { inSequence } from "./in-sequence.js";
import { copies, moved, type Children, type Piece } from "./piece.js";

export function lowerStruct(type: Struct, { pieceOf, boundsOfChild }: Children): Piece {
  const members = type.children.map((child: Datatype, i) => {
    const { extentBytes } = boundsOfChild(child);
    const member = copies(type.blocklengths[i] as number, extentBytes, pieceOf(child));
    return moved(member, type.displacementsBytes[i] as number);
  });
  return inSequence(members);
}
