import { ZMM_BYTES } from "../../../widths.js";
import { firstBytes } from "../../facts/constants.js";
import { LEAST_BLOCKS, permutedBlocksOf } from "../../facts/permuted-blocks.js";
import type { LoopContext } from "../../loop-context.js";
import type { PermutedBlocks, PermutedRound } from "../../plans.js";
import type { StreamRule } from "../../rule.js";

/**
 * At AVX-512, short blocks so near each other that one vector covers several: a permutation closes or opens the gaps, a
 * mask leaves the gaps' bytes as they are. Where no register is left for its constants, the rules after it are asked.
 * On a Xeon, struct24 packed: 1.41 at 32 KiB, 1.31 at 1 MiB; 1 of 2 doubles 1.11 at 1 KiB, 1.00 at 16 MiB.
 */
export const permutedBlocks: StreamRule = {
  name: "permuted blocks",
  plan(context, { node, most }) {
    const permuted = permutedBlocksOf(context, node.child, node.strideBytes);
    if (permuted === undefined) return "no AVX-512, or blocks that one vector does not cover";
    if (Math.max(permuted.children, LEAST_BLOCKS) > most) return "fewer blocks than a round";
    const round = roundOf(context, permuted);
    return round === undefined ? "no register is left for its constants" : [round];
  },
};

function roundOf({ direction, constants }: LoopContext, permuted: PermutedBlocks): PermutedRound | undefined {
  const { blockBytes, strideBytes, covered, moved, children } = permuted;
  const isPacked = direction === "pack";
  const loadedBytes = isPacked ? (covered - 1) * strideBytes + blockBytes : moved * blockBytes;
  const stored = isPacked ? firstBytes(moved * blockBytes) : bytesOfBlocks(permuted);
  const permutation = constants.takePermutation(permutationOf(direction, permuted), [firstBytes(loadedBytes), stored]);
  if (permutation === undefined) return undefined;
  return { what: "permuted blocks", children, permuted, permutation, loadedBytes, stored };
}

/** The mask of all blocks' bytes in a vector. */
function bytesOfBlocks({ blockBytes, strideBytes, moved }: PermutedBlocks): bigint {
  let mask = 0n;
  for (let i = 0; i < moved; i++) mask |= firstBytes(blockBytes) << BigInt(i * strideBytes);
  return mask;
}

/** For each byte of the permuted vector: which byte it is of what was loaded; 64 on means the second vector. */
function permutationOf(
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
