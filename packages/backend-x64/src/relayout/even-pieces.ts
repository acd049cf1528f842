import { dense, stream, type Blocks, type LayoutNode, type Stream } from "@stowage/ir";
import { isRuns } from "../lower/run-tables.js";

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
  const { blocklengths, displacementsBytes, child, sizeBytes } = node;
  if (blocklengths === 1 || !isRuns(node)) return undefined;
  const starts = new Float64Array(sizeBytes / bytes);
  let filled = 0;
  for (let block = 0; block < blocklengths.length; block++) {
    const length = (blocklengths[block] as number) * child.sizeBytes;
    if (length % bytes !== 0) return undefined;
    for (let at = 0; at < length; at += bytes) starts[filled++] = (displacementsBytes[block] as number) + at;
  }
  return { count: starts.length, piece: dense(bytes), displacementOf: (i) => starts[i] as number };
}

/** The longest piece that a table divides into; 0 where it has none. */
export function pieceBytesOf(node: Blocks): number {
  if (node.blocklengths === 1) return node.child.sizeBytes;
  if (!isRuns(node)) return 0;
  let piece = 0;
  for (const length of node.blocklengths) piece = greatestDivisor(piece, length);
  return piece * node.child.sizeBytes;
}

export function greatestDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
