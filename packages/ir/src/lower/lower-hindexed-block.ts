import type { HindexedBlock } from "../datatype/hindexed-block.js";
import { uniformList } from "./block-list.js";
import type { LoweredChild, Piece } from "./piece.js";

export function lowerHindexedBlock(type: HindexedBlock, child: LoweredChild): Piece {
  return uniformList(type.displacementsBytes, 1, type.blocklength, child);
}
