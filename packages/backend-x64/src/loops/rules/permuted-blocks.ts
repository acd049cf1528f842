import { LEAST_BLOCKS, permutedBlocksOf } from "../permuted-blocks.js";
import type { StreamRule } from "../stream-rule.js";

/**
 * At AVX-512, short blocks so near each other that one vector covers several: a permutation closes or opens the gaps, a mask
 * leaves the gaps' bytes as they are. Where no register is left for its constants, the rules after it are asked.
 */
export const permutedBlocks: StreamRule = {
  name: "permuted blocks",
  plan(context, { node, most }) {
    const permuted = permutedBlocksOf(context, node.child, node.strideBytes);
    if (permuted === undefined) return "no AVX-512, or blocks that one vector does not cover";
    if (Math.max(permuted.children, LEAST_BLOCKS) > most) return "fewer blocks than a round";
    return [{ what: "permuted blocks", children: permuted.children, permuted }];
  },
};
