import type { Contiguous } from "../datatype/contiguous.js";
import { copies, type LoweredChild, type Piece } from "./piece.js";

export function lowerContiguous(type: Contiguous, { piece, extentBytes }: LoweredChild): Piece {
  return copies(type.count, extentBytes, piece);
}
