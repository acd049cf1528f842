import { ZMM_BYTES } from "../widths.js";

/**
 * Short blocks so near each other that one vector covers several. Packing closes the gaps by a permutation of one
 * vector or two; unpacking opens them, and a mask keeps every byte of a gap as it is.
 */
export interface PermutedBlocks {
  readonly blockBytes: number;
  readonly strideBytes: number;
  /** Blocks that one vector of scattered bytes covers. */
  readonly covered: number;
  /** Blocks that one permutation moves. */
  readonly moved: number;
  /** Vectors of a round, and the blocks that they move. */
  readonly vectors: number;
  readonly children: number;
}

/** For each byte of the permuted vector: which byte it is of what was loaded; 64 on means the second vector. */
export function permutationOf(
  direction: "pack" | "unpack",
  { blockBytes, strideBytes, covered, moved }: PermutedBlocks,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ZMM_BYTES);
  for (let i = 0; i < moved; i++) {
    const scattered = i < covered ? i * strideBytes : ZMM_BYTES + (i - (moved - covered)) * strideBytes;
    for (let byte = 0; byte < blockBytes; byte++) {
      if (direction === "pack") bytes[i * blockBytes + byte] = scattered + byte;
      else bytes[scattered + byte] = i * blockBytes + byte;
    }
  }
  return bytes;
}
