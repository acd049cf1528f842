import type { LayoutNode } from "@stowage/ir";
import type { Width } from "../lower/isa.js";

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

/** Whether the code of a node fits into its parent's; other nodes are called. */
export function isInlined(node: LayoutNode, depth = 0): boolean {
  switch (node.kind) {
    case "dense":
      return true;
    case "stream":
      return depth < 3 && isInlined(node.child, depth + 1);
    case "blocks":
      return depth < 2 && node.child.kind === "dense" && node.blocklengths === 1;
    case "sequence":
      return depth < 2 && node.members.length <= 8 && node.members.every((member) => member.node.kind === "dense");
  }
}

/** Runs of at least this length may be moved by code that needs the loop counters. */
export const LONG_RUN_BYTES = 1024;

/** Runs from which the full lines inside take non-temporal stores, whatever the alignment of their ends. */
export const NON_TEMPORAL_RUN_BYTES = 1536;

/** Whether the code of a node leaves the loop counters alone: it neither calls nor walks a table. */
export function isPlain(node: LayoutNode, depth = 0): boolean {
  switch (node.kind) {
    case "dense":
      // Longer runs may need registers of their own.
      return depth < 4 && node.lengthBytes < LONG_RUN_BYTES;
    case "stream":
      return isInlined(node, depth) && isPlain(node.child, depth + 1);
    case "blocks":
      return false;
    case "sequence":
      return isInlined(node, depth) && node.members.every((member) => isPlain(member.node, depth + 1));
  }
}

/** Most moves of a dense run that are written out without a loop. */
export const MOST_MOVES_OF_RUN = 16;

export const isShortRun = (node: LayoutNode, widest: Width): boolean =>
  node.kind === "dense" && node.lengthBytes <= MOST_MOVES_OF_RUN * widest;
