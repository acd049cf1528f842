import { dimensionShares, type DimensionShare } from "../datatype/dimension-share.js";
import { dimensionsFromFastest } from "../datatype/order.js";
import { inSequence } from "./in-sequence.js";
import { copies, moved, type LoweredChild, type Piece } from "./piece.js";
import type { Darray } from "../datatype/datatype.js";

/** Along each dimension, the fastest first: full blocks as streams, then a shorter block. MPI 4.1, section 5.1.4. */
export function lowerDarray(type: Darray, child: LoweredChild): Piece {
  const shares = dimensionShares(type);
  let piece = child.piece;
  let elementBytes = child.extentBytes;
  for (const dimension of dimensionsFromFastest(type.gsizes.length, type.order)) {
    piece = alongDimension(shares[dimension] as DimensionShare, elementBytes, piece);
    elementBytes *= type.gsizes[dimension] as number;
  }
  return piece;
}

function alongDimension(share: DimensionShare, elementBytes: number, piece: Piece): Piece {
  const strideBytes = share.strideElements * elementBytes;
  const full = copies(share.fullBlocks, strideBytes, copies(share.blockElements, elementBytes, piece));
  const last = copies(share.lastElements, elementBytes, piece);
  return moved(inSequence([full, moved(last, share.fullBlocks * strideBytes)]), share.firstElement * elementBytes);
}
