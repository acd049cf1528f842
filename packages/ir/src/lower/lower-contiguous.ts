import { copies, type LoweredChild, type Piece } from "./piece.js";
import type { Contiguous } from "../datatype/datatype.js";

export function lowerContiguous(type: Contiguous, { piece, extentBytes }: LoweredChild): Piece {
  return copies(type.count, extentBytes, piece);
}
