import { copies, type LoweredChild, type Piece } from "./piece.js";
import type { Vector } from "../datatype/datatype.js";

/** A stride of a vector counts child extents. */
export function lowerVector(type: Vector, { piece, extentBytes }: LoweredChild): Piece {
  return copies(type.count, type.stride * extentBytes, copies(type.blocklength, extentBytes, piece));
}
