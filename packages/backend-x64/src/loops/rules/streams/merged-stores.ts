import { mergedBlocks } from "../../facts/merged-blocks.js";
import { prefetchOf } from "../../facts/prefetches.js";
import { longRounds } from "../../facts/rounds.js";
import type { MergedRound } from "../../plans.js";
import type { StreamRule } from "../../rule.js";

/**
 * Packing short blocks of whole words: several are put together in registers and stored 32 bytes at a time. The store
 * buffer bounds how many missing lines are fetched at once; wider stores let it cover more blocks.
 */
export const mergedStores: StreamRule = {
  name: "merged stores",
  plan(context, { node, most }) {
    const together = mergedBlocks(context, node.child);
    if (together === undefined) return "no packing of whole words by vectors";
    if (together > most) return "fewer blocks than fill a store";
    const prefetch = prefetchOf(context, node);
    const round: MergedRound = {
      what: "merged stores",
      children: together,
      together,
      ...(prefetch === undefined ? {} : { prefetch }),
    };
    return longRounds(context, node, round, most);
  },
};
