import {
  dense,
  isRuns,
  longestPieceBytes,
  piecesOf,
  stream,
  type Blocks,
  type LayoutNode,
  type Stream,
} from "@stowage/ir";

/** A node as pieces of one size, each the same node at a displacement of its own. */
export interface EvenPieces {
  readonly count: number;
  readonly piece: LayoutNode;
  readonly displacementOf: (index: number) => number;
}

/** `node` in pieces of `bytes`, in packed order; undefined where its pieces would differ. */
export function evenPieces(node: LayoutNode, bytes: number): EvenPieces | undefined {
  const count = node.sizeBytes / bytes;
  if (!Number.isInteger(count)) return undefined;
  switch (node.kind) {
    case "dense":
      return { count, piece: dense(bytes), displacementOf: (i) => i * bytes };
    case "stream":
      return piecesOfStream(node, bytes);
    case "blocks":
      return node.blocklengths === 1 ? piecesOfBlocks(node, bytes) : piecesOfRuns(node, bytes);
    case "sequence":
      return undefined;
  }
}

function piecesOfStream({ count, strideBytes, child, sizeBytes }: Stream, bytes: number): EvenPieces | undefined {
  const together = bytes / child.sizeBytes;
  if (together >= 1) {
    if (!Number.isInteger(together) || count % together !== 0) return undefined;
    const piece = together === 1 ? child : stream(together, strideBytes, child);
    return { count: count / together, piece, displacementOf: (i) => i * together * strideBytes };
  }
  const inner = evenPieces(child, bytes);
  if (inner === undefined) return undefined;
  const each = inner.count;
  return {
    count: sizeBytes / bytes,
    piece: inner.piece,
    displacementOf: (i) => Math.floor(i / each) * strideBytes + inner.displacementOf(i % each),
  };
}

function piecesOfBlocks({ displacementsBytes, child, sizeBytes }: Blocks, bytes: number): EvenPieces | undefined {
  if (child.sizeBytes === bytes)
    return { count: displacementsBytes.length, piece: child, displacementOf: (i) => displacementsBytes[i] as number };
  const inner = evenPieces(child, bytes);
  if (inner === undefined) return undefined;
  const each = inner.count;
  return {
    count: sizeBytes / bytes,
    piece: inner.piece,
    displacementOf: (i) => (displacementsBytes[Math.floor(i / each)] as number) + inner.displacementOf(i % each),
  };
}

/** Runs of varying length, where every length is a multiple of the piece's. */
function piecesOfRuns(node: Blocks, bytes: number): EvenPieces | undefined {
  const pieces = isRuns(node) ? piecesOf(node, bytes) : undefined;
  if (pieces === undefined) return undefined;
  const { displacementsBytes } = pieces;
  return {
    count: displacementsBytes.length,
    piece: dense(bytes),
    displacementOf: (i) => displacementsBytes[i] as number,
  };
}

/** The longest piece that a table divides into; 0 where it has none. */
export const pieceBytesOf = (node: Blocks): number =>
  isRuns(node) ? longestPieceBytes(node) : node.blocklengths === 1 ? node.child.sizeBytes : 0;
