import { dense, equalPieces, isRuns, sequence, stream, uniformBlocks, type Blocks, type LayoutNode } from "@stowage/ir";

/** Tables up to here are written out, each entry a member. */
const FEWEST_ENTRIES = 8;
/** Equal pieces at most this many times as many as the runs they are cut from: each run still mostly one piece. */
const MOST_PIECES_A_RUN = 1.5;

/**
 * A table as what is simpler to walk, in the same order: few entries as members, runs of nearly one length as equal
 * pieces.
 */
export function simplified(node: LayoutNode): LayoutNode {
  if (node.kind !== "blocks") return node;
  if (node.displacementsBytes.length <= FEWEST_ENTRIES) return writtenOut(node);
  const pieces = isRuns(node) && node.blocklengths !== 1 ? equalPieces(node, MOST_PIECES_A_RUN) : undefined;
  return pieces === undefined ? node : uniformBlocks(pieces.displacementsBytes, dense(pieces.pieceBytes));
}

function writtenOut(node: Blocks): LayoutNode {
  const { displacementsBytes, blocklengths, strideBytes, child } = node;
  const blockOf = (i: number): LayoutNode => {
    if (blocklengths === 1) return child;
    const copies = blocklengths[i] as number;
    return isRuns(node) ? dense(copies * child.sizeBytes) : stream(copies, strideBytes, child);
  };
  return sequence(Array.from(displacementsBytes, (offsetBytes, i) => ({ offsetBytes, node: blockOf(i) })));
}
