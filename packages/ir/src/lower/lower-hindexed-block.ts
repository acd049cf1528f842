import { uniformList } from "./block-list.js";
import type { LoweredChild, Piece } from "./piece.js";
import type { HindexedBlock } from "../datatype/datatype.js";

export function lowerHindexedBlock(type: HindexedBlock, child: LoweredChild): Piece {
  return uniformList(type.displacementsBytes, 1, type.blocklength, child);
}
