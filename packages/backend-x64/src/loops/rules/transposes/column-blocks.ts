import type { Ways } from "../../../targets/geometry.js";
import { LINE_BYTES, linesThatFit, piecesThatFit } from "../../cache.js";

/** Bytes of a row in a block: few enough lines that each stays in L1d until all of its bytes are moved. */
export const BLOCK_BYTES = 4 * LINE_BYTES;
/** Bytes of a block for non-temporal stores of columns, which have no set conflicts. */
export const OUT_OF_CACHE_BLOCK_BYTES = 2 * BLOCK_BYTES;

/** Bytes of a row that a tile takes at least, where it can. */
const LEAST_BLOCK_BYTES = LINE_BYTES / 2;

/**
 * Columns of a block: no more than L1d has lines for at this stride of the target; 1.2 to 1.6 times as fast near powers
 * of two. Elements of one byte count lines only: each block fetches the lines of all rows again, which costs them more
 * than set conflicts.
 */
export function columnsOfBlock(l1d: Ways, elementBytes: number, columnStrideBytes: number): number {
  const fitting = elementBytes === 1 ? linesThatFit(l1d, columnStrideBytes) : piecesThatFit(l1d, columnStrideBytes);
  return Math.min(BLOCK_BYTES / elementBytes, Math.max(LEAST_BLOCK_BYTES / elementBytes, fitting));
}
