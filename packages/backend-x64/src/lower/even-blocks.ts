import {
  blocks,
  dense,
  equalPieces,
  isRuns,
  sequence,
  stream,
  uniformBlocks,
  type Blocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";

/** Equal pieces at most this many times as many as the runs they are cut from: each run still mostly one piece. */
const MOST_PIECES_A_RUN = 1.5;

/**
 * Runs of varying length become equal blocks where most are of the least length already: a walk over equal blocks
 * needs no length, and its moves are constants. The byte map and its order stay.
 */
export function evenBlocks(root: LayoutNode): LayoutNode {
  const known = new Map<LayoutNode, LayoutNode>();
  const visit = (node: LayoutNode): LayoutNode => {
    const found = known.get(node) ?? rebuilt(node, visit);
    known.set(node, found);
    return found;
  };
  return visit(root);
}

function rebuilt(node: LayoutNode, visit: (node: LayoutNode) => LayoutNode): LayoutNode {
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
      return cutEvenly(same) ?? same;
    }
    case "sequence": {
      const members = node.members.map((member) => ({ offsetBytes: member.offsetBytes, node: visit(member.node) }));
      return members.every((member, i) => member.node === node.members[i]?.node) ? node : sequence(members);
    }
  }
}

function cutEvenly(node: Blocks): Blocks | undefined {
  const pieces = isRuns(node) && node.blocklengths !== 1 ? equalPieces(node, MOST_PIECES_A_RUN) : undefined;
  return pieces === undefined ? undefined : uniformBlocks(pieces.displacementsBytes, dense(pieces.pieceBytes));
}

export const withEvenBlocks = (layout: Layout): Layout => {
  const root = evenBlocks(layout.root);
  return root === layout.root ? layout : { ...layout, root };
};
