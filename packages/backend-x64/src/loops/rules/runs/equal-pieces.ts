import { dense, equalPieces, isRuns, uniformBlocks, type Blocks } from "@stowage/ir";

/** Equal pieces at most this many times as many as the runs they are cut from: each run still mostly one piece. */
const MOST_PIECES_A_RUN = 1.5;

/** Runs of varying length, most of which are of the least length: the same bytes as equal blocks. undefined: others. */
export function equalPiecesOf(node: Blocks): Blocks | undefined {
  const pieces = isRuns(node) && node.blocklengths !== 1 ? equalPieces(node, MOST_PIECES_A_RUN) : undefined;
  return pieces === undefined ? undefined : uniformBlocks(pieces.displacementsBytes, dense(pieces.pieceBytes));
}
