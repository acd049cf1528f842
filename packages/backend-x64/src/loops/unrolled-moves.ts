import type { LayoutNode } from "@stowage/ir";
import type { Width } from "../widths.js";

/** Moves of a node that is fully unrolled; Infinity where it cannot be. */
export function unrolledMoves(node: LayoutNode, widest: Width, most: number): number {
  if (node.sizeBytes === 0) return 0;
  if (node.blockCount > most) return Infinity;
  switch (node.kind) {
    case "dense":
      return Math.ceil(node.lengthBytes / widest);
    case "stream":
      return node.count * unrolledMoves(node.child, widest, most);
    case "blocks":
      return (
        node.blockCount *
        unrolledMoves(node.child, widest, most) *
        (node.child.kind === "dense" && node.blocklengths !== 1 ? 4 : 1)
      );
    case "sequence":
      return node.members.reduce((sum, member) => sum + unrolledMoves(member.node, widest, most), 0);
  }
}
