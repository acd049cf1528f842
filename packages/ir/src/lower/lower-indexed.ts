import { list } from "./block-list.js";
import type { LoweredChild, Piece } from "./piece.js";
import type { Indexed } from "../datatype/datatype.js";

export function lowerIndexed(type: Indexed, child: LoweredChild): Piece {
  return list(type.displacements, child.extentBytes, type.blocklengths, child);
}
