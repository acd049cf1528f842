import { copies, type LoweredChild, type Piece } from "./piece.js";
import type { Hvector } from "../datatype/datatype.js";

export function lowerHvector(type: Hvector, { piece, extentBytes }: LoweredChild): Piece {
  return copies(type.count, type.strideBytes, copies(type.blocklength, extentBytes, piece));
}
