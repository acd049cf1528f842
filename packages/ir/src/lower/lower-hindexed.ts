import { list } from "./block-list.js";
import type { LoweredChild, Piece } from "./piece.js";
import type { Hindexed } from "../datatype/datatype.js";

export function lowerHindexed(type: Hindexed, child: LoweredChild): Piece {
  return list(type.displacementsBytes, 1, type.blocklengths, child);
}
