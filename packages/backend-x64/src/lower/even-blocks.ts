import {
  blocks,
  dense,
  integerTable,
  sequence,
  stream,
  uniformBlocks,
  type Blocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { isRuns } from "./run-tables.js";

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
      return isRuns(same) && same.blocklengths !== 1 ? (cutEvenly(same) ?? same) : same;
    }
    case "sequence": {
      const members = node.members.map((member) => ({ offsetBytes: member.offsetBytes, node: visit(member.node) }));
      return members.every((member, i) => member.node === node.members[i]?.node) ? node : sequence(members);
    }
  }
}

function cutEvenly(node: Blocks): Blocks | undefined {
  const lengths = node.blocklengths;
  if (lengths === 1) return undefined;
  const [piece, pieces] = pieceOf(lengths);
  if (pieces > MOST_PIECES_A_RUN * lengths.length) return undefined;
  const pieceBytes = piece * node.child.sizeBytes;
  // Doubles first: a table may ask for a place twice, to widen what does not fit 4 bytes.
  const places = new Float64Array(pieces);
  let at = 0;
  for (let block = 0; block < lengths.length; block++) {
    const last = (lengths[block] as number) * node.child.sizeBytes;
    for (let offset = 0; offset < last; offset += pieceBytes)
      places[at++] = (node.displacementsBytes[block] as number) + offset;
  }
  const table = integerTable(pieces, (i) => places[i] as number);
  return uniformBlocks(table, dense(pieceBytes));
}

/** The longest piece that divides every length, and how many there are. */
function pieceOf(lengths: Int32Array | Float64Array): readonly [piece: number, pieces: number] {
  let [piece, sum] = [0, 0];
  for (const length of lengths) {
    let [a, b] = [piece, length];
    while (b > 0) [a, b] = [b, a % b];
    piece = a;
    sum += length;
  }
  return [piece, piece === 0 ? Infinity : sum / piece];
}

export const withEvenBlocks = (layout: Layout): Layout => {
  const root = evenBlocks(layout.root);
  return root === layout.root ? layout : { ...layout, root };
};
