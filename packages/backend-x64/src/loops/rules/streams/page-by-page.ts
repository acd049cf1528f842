import { conflictsInSets } from "../../facts/cache.js";
import { isPageApart, isShort } from "../../facts/conflicts.js";
import { prefetchOf } from "../../facts/prefetches.js";
import type { StreamRule } from "../../rule.js";

/**
 * Short blocks in more pages than the dTLB reaches: rounds of one block, prefetched, with NOP padding between them. One
 * instruction that walks the pages is followed by the prefetcher, eight that share them are not.
 * 1.07 packing and 1.04 unpacking on a Zen 4, 1.08 and 1.02 on a Xeon (strides.json, "spaced pages").
 */
export const pageByPage: StreamRule = {
  name: "page by page",
  plan(context, { node }) {
    if (context.outOfCache?.what !== "padded") return "the launch is not a padded one";
    if (!isShort(node)) return "blocks are not short runs";
    if (!isPageApart(context, node)) return "blocks share pages, or conflict in sets";
    if (conflictsInSets(context.tuning.target.geometry.l1d, node.strideBytes))
      return [{ what: "single blocks", children: 1 }];
    const prefetch = prefetchOf(context, node);
    return [{ what: "single blocks", children: 1, ...(prefetch === undefined ? {} : { prefetch }) }];
  },
};
