import { dense, equalPieces, isRuns, uniformBlocks, type Blocks, type IntegerTable } from "@stowage/ir";

/** Equal pieces at most this many times as many as the runs they are cut from: each run still mostly one piece. */
const MOST_PIECES_A_RUN = 1.5;

/**
 * Runs of varying length, most of which are of the least length: the same bytes as equal blocks. undefined: others, and
 * where a run has `repMovsbBytes`, from which REP MOVSB copies it faster whole than in pieces.
 */
export function equalPiecesOf(node: Blocks, repMovsbBytes: number): Blocks | undefined {
  if (!isRuns(node) || node.blocklengths === 1) return undefined;
  const pieces = equalPieces(node, MOST_PIECES_A_RUN);
  if (pieces === undefined || hasRunOf(repMovsbBytes, node.blocklengths, node.child.sizeBytes)) return undefined;
  return uniformBlocks(pieces.displacementsBytes, dense(pieces.pieceBytes));
}

/** Whether a run is so long. Where no processor's REP MOVSB gains, no list is looked through. */
const hasRunOf = (bytes: number, lengths: IntegerTable, unitBytes: number): boolean =>
  bytes !== Infinity && lengths.some((length) => length * unitBytes >= bytes);
