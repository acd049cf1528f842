import { dimensionsFromFastest } from "../datatype/order.js";
import { copies, moved, type LoweredChild, type Piece } from "./piece.js";
import type { Subarray } from "../datatype/datatype.js";

/** A stream a dimension, the fastest innermost. MPI 4.1, section 5.1.3. */
export function lowerSubarray(type: Subarray, child: LoweredChild): Piece {
  let piece = child.piece;
  let strideBytes = child.extentBytes;
  let startBytes = 0;
  for (const dimension of dimensionsFromFastest(type.sizes.length, type.order)) {
    piece = copies(type.subsizes[dimension] as number, strideBytes, piece);
    startBytes += (type.starts[dimension] as number) * strideBytes;
    strideBytes *= type.sizes[dimension] as number;
  }
  return moved(piece, startBytes);
}
