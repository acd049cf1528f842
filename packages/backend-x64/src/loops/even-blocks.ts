import {
  blocks,
  dense,
  equalPieces,
  isRuns,
  sequence,
  stream,
  uniformBlocks,
  type Blocks,
  type IntegerTable,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import type { Tuning } from "../options.js";

/**
 * Runs of varying length become equal blocks where most are of the least length already: a walk over equal blocks
 * needs no length, and its moves are constants. The byte map and its order stay.
 */
function evenBlocks(root: LayoutNode, repMovsbBytes: number): LayoutNode {
  const known = new Map<LayoutNode, LayoutNode>();
  const visit = (node: LayoutNode): LayoutNode => {
    const found = known.get(node) ?? rebuilt(node, visit, repMovsbBytes);
    known.set(node, found);
    return found;
  };
  return visit(root);
}

function rebuilt(node: LayoutNode, visit: (node: LayoutNode) => LayoutNode, repMovsbBytes: number): LayoutNode {
  switch (node.kind) {
    case "dense":
      return node;
    case "stream": {
      const child = visit(node.child);
      return child === node.child ? node : stream(node.count, node.strideBytes, child);
    }
    case "blocks": {
      const child = visit(node.child);
      const same =
        child === node.child ? node : blocks(node.displacementsBytes, node.blocklengths, node.strideBytes, child);
      return equalPiecesOf(same, repMovsbBytes) ?? same;
    }
    case "sequence": {
      const members = node.members.map((member) => ({ offsetBytes: member.offsetBytes, node: visit(member.node) }));
      return members.every((member, i) => member.node === node.members[i]?.node) ? node : sequence(members);
    }
  }
}

export const withEvenBlocks = (layout: Layout, { repMovsbBytes }: Pick<Tuning, "repMovsbBytes">): Layout => {
  const root = evenBlocks(layout.root, repMovsbBytes);
  return root === layout.root ? layout : { ...layout, root };
};

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
