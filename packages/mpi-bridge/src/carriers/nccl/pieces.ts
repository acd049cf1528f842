/**
 * While one piece travels the next is packed, and the last unpacked. Each costs a launch of NCCL's, 30 us, which
 * shorter ones do not gain.
 */
export const PIECE_BYTES = 2 ** 25;

export interface Piece {
  readonly first: number;
  readonly length: number;
}

/** The pieces of a message, equal on both sides, whatever their elements are. */
export function piecesOf(sizeBytes: number, pieceBytes: number): readonly Piece[] {
  const count = Math.max(1, Math.floor(sizeBytes / pieceBytes));
  const starts = Array.from({ length: count }, (_, i) => i * pieceBytes);
  return starts.map((first, i) => ({ first, length: (starts[i + 1] ?? sizeBytes) - first }));
}
