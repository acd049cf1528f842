import type { Hvector } from "../datatype/hvector.js";
import { copies, type LoweredChild, type Piece } from "./piece.js";

export function lowerHvector(type: Hvector, { piece, extentBytes }: LoweredChild): Piece {
  return copies(type.count, type.strideBytes, copies(type.blocklength, extentBytes, piece));
}
