import { mergedBlocks } from "../../facts/merged-blocks.js";
import { singleRounds } from "../../facts/rounds.js";
import { loadsDwords } from "../../facts/vector-levels.js";
import { nonTemporalWidthOf } from "../../loop-context.js";
import type { StreamRule } from "../../rule.js";

/**
 * At AVX2, packing blocks of 3, 5, 6 or 7 double words with gaps that may be unmapped: a mask in a register loads
 * exactly the block, and a whole vector is stored, instead of two loads and stores that overlap.
 * 1.10 over two overlapping moves on an EPYC, 0.95 to 1.43 (docs/notes/2026-11-22-x64-unmapped-gaps.md).
 */
export const doubleWords: StreamRule = {
  name: "double words",
  plan(context, { node, most }) {
    const { child } = node;
    if (context.direction === "unpack" || nonTemporalWidthOf(context) !== undefined) return "no packing in the cache";
    if (child.kind !== "dense" || !loadsDwords(context.isa.level, child.lengthBytes))
      return "no blocks of 3 to 7 double words at AVX2";
    if (mergedBlocks(context, child) !== undefined) return "blocks of whole words, too few to merge";
    if (context.readableGaps.in(node)) return "bytes behind a block may be read";
    const dwordMaskBytes = child.lengthBytes;
    return singleRounds(context, node, most).map((round) => ({ ...round, dwordMaskBytes }));
  },
};
