import type { PackedRange } from "@stowage/ir";

/** Part of one move's packed range, and where it lies in the staging buffer of its chunk. */
export interface Piece {
  readonly move: number;
  readonly first: number;
  readonly length: number;
  readonly stagedBytes: number;
}

/** What goes through one staging buffer at a time. */
export interface Chunk {
  readonly pieces: readonly Piece[];
  readonly sizeBytes: number;
}

/** How large chunks are: the first `leastBytes`, each twice the one before, up to `mostBytes`. */
export interface ChunkSizes {
  readonly leastBytes: number;
  readonly mostBytes: number;
  /** Whether the small ones come last: where what follows the copy cannot overlap it, the end is what waits. */
  readonly smallLast: boolean;
}

/** Pieces start as their range does modulo this, so that kernels find the words of both sides aligned alike. */
const PHASE_BYTES = 256;

/**
 * The ranges of all moves in chunks, in packed order. `follows` says whether the bytes of move i on the host lie right
 * behind those of move i - 1: such pieces lie so in the staging buffer too, and one copy takes both.
 */
export function chunksOf(
  ranges: readonly PackedRange[],
  sizes: ChunkSizes,
  follows: (move: number) => boolean,
): readonly Chunk[] {
  const total = ranges.reduce((sum, { length }) => sum + length, 0);
  const limits = limitsOf(total, sizes);
  const chunks: Chunk[] = [];
  let [move, done] = [0, 0];
  for (const limit of limits) {
    const pieces: Piece[] = [];
    let [used, left] = [0, limit];
    while (left > 0 && move < ranges.length) {
      const { first, length } = ranges[move] as PackedRange;
      const taken = Math.min(left, length - done);
      if (taken > 0) {
        const start = first + done;
        const stagedBytes = pieces.length > 0 && done === 0 && follows(move) ? used : placed(used, start);
        pieces.push({ move, first: start, length: taken, stagedBytes });
        used = stagedBytes + taken;
        left -= taken;
        done += taken;
      }
      if (done === length) [move, done] = [move + 1, 0];
    }
    chunks.push({ pieces, sizeBytes: used });
  }
  return chunks;
}

const placed = (used: number, first: number): number =>
  Math.ceil(used / PHASE_BYTES) * PHASE_BYTES + (first % PHASE_BYTES);

function limitsOf(total: number, { leastBytes, mostBytes, smallLast }: ChunkSizes): readonly number[] {
  const limits: number[] = [];
  for (let left = total, size = leastBytes; left > 0; size = Math.min(2 * size, mostBytes)) {
    limits.push(Math.min(size, left));
    left -= size;
  }
  return smallLast ? limits.reverse() : limits;
}
