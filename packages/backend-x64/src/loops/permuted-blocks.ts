import type { LayoutNode } from "@stowage/ir";
import { nonTemporalWidthOf, type LoopContext } from "./loop-context.js";
import { hasMasks } from "./vector-levels.js";

/** Bytes of one vector: what one permutation reads or writes. */
const VECTOR_BYTES = 64;
/** Blocks in a vector from which permuting won on the machine it was measured on (docs/x64.md). */
const LEAST_PACKED = 2;
const LEAST_UNPACKED = 4;
/** Shorter streams leave too much to what fills no round (docs/notes/2026-11-22-compile.md). */
export const LEAST_BLOCKS = 16;
/** Vectors in a round of a loop, which the loop's own counting is spread over. */
export const VECTORS_A_ROUND = 2;

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
  /** Blocks of a round. */
  readonly children: number;
}

/** Whether children `strideBytes` apart are such blocks; undefined where they are not. */
export function permutedBlocksOf(
  context: LoopContext,
  child: LayoutNode,
  strideBytes: number,
): PermutedBlocks | undefined {
  const { direction, isa, tuning } = context;
  if (
    !hasMasks(isa.level) ||
    !tuning.permutedBlocks ||
    nonTemporalWidthOf(context) !== undefined ||
    child.kind !== "dense"
  )
    return undefined;
  const blockBytes = child.lengthBytes;
  if (blockBytes === 0 || strideBytes <= blockBytes) return undefined;
  const covered = Math.floor((VECTOR_BYTES - blockBytes) / strideBytes) + 1;
  if (covered < (direction === "pack" ? LEAST_PACKED : LEAST_UNPACKED)) return undefined;
  // Of two vectors as much is packed at once as one vector holds.
  const moved = direction === "pack" ? Math.min(2 * covered, Math.floor(VECTOR_BYTES / blockBytes)) : covered;
  return { blockBytes, strideBytes, covered, moved, children: VECTORS_A_ROUND * moved };
}

/** Whether a stream has so many of them that writing its blocks out one by one is slower. */
export const isPermuted = (context: LoopContext, node: LayoutNode): boolean =>
  node.kind === "stream" &&
  node.count >= LEAST_BLOCKS &&
  permutedBlocksOf(context, node.child, node.strideBytes) !== undefined;

/** Of each byte of the permuted vector, which byte it is of what was loaded: 64 on means the second vector. */
export function permutationOf(
  direction: "pack" | "unpack",
  { blockBytes, strideBytes, covered, moved }: PermutedBlocks,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(VECTOR_BYTES);
  for (let i = 0; i < moved; i++) {
    const scattered = i < covered ? i * strideBytes : VECTOR_BYTES + (i - (moved - covered)) * strideBytes;
    for (let byte = 0; byte < blockBytes; byte++) {
      if (direction === "pack") bytes[i * blockBytes + byte] = scattered + byte;
      else bytes[scattered + byte] = i * blockBytes + byte;
    }
  }
  return bytes;
}
