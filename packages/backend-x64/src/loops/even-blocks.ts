import { blocks, sequence, stream, type Layout, type LayoutNode } from "@stowage/ir";
import type { Tuning } from "../options.js";
import { equalPiecesOf } from "./rules/runs/equal-pieces.js";

/**
 * Runs of varying length become equal blocks where most are of the least length already: a walk over equal blocks
 * needs no length, and its moves are constants. The byte map and its order stay.
 */
export function evenBlocks(root: LayoutNode, repMovsbBytes: number): LayoutNode {
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
