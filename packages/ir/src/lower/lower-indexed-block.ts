import { uniformList } from "./block-list.js";
import type { LoweredChild, Piece } from "./piece.js";
import type { IndexedBlock } from "../datatype/datatype.js";

export function lowerIndexedBlock(type: IndexedBlock, child: LoweredChild): Piece {
  return uniformList(type.displacements, child.extentBytes, type.blocklength, child);
}
