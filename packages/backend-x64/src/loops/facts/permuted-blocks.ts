import type { LayoutNode } from "@stowage/ir";
import { ZMM_BYTES } from "../../widths.js";
import { nonTemporalWidthOf, type LoopContext } from "../loop-context.js";
import type { PermutedBlocks } from "../plans.js";
import { hasMasks } from "./vector-levels.js";

/**
 * Blocks in a vector from which permuting wins on a Xeon: struct24 and 12 of 24 bytes unpacked so are at 0.81 to 0.96.
 */
const LEAST_PACKED = 2;
const LEAST_UNPACKED = 4;
/** Shorter streams leave too much to what fills no round: 252 bytes of structs in 4.2 ns instead of 5.5. */
export const LEAST_BLOCKS = 16;
/** Vectors in a round of a loop, which the loop's own counting is spread over. */
const VECTORS_A_ROUND = 2;

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
  const covered = Math.floor((ZMM_BYTES - blockBytes) / strideBytes) + 1;
  if (covered < (direction === "pack" ? LEAST_PACKED : LEAST_UNPACKED)) return undefined;
  // Packing takes from two vectors as much at once as one vector holds.
  const moved = direction === "pack" ? Math.min(2 * covered, Math.floor(ZMM_BYTES / blockBytes)) : covered;
  return { blockBytes, strideBytes, covered, moved, vectors: VECTORS_A_ROUND, children: VECTORS_A_ROUND * moved };
}

/** Whether a stream has so many of them that writing its blocks out one by one is slower. */
export const isPermuted = (context: LoopContext, node: LayoutNode): boolean =>
  node.kind === "stream" &&
  node.count >= LEAST_BLOCKS &&
  permutedBlocksOf(context, node.child, node.strideBytes) !== undefined;
