import { conflictsInSets } from "../../facts/cache.js";
import { isFenced, isShort } from "../../facts/conflicts.js";
import { isCached } from "../../facts/prefetches.js";
import type { StreamRule } from "../../rule.js";

/**
 * Short blocks whose lines conflict in sets of L1d, and lie in L2: one block a round. The prefetcher follows one
 * instruction that walks them, but not eight. 1.03 and 1.04 over rounds of eight (strides.json, "paced").
 */
export const oneByOne: StreamRule = {
  name: "one by one",
  plan(context, { node }) {
    if (!isShort(node)) return "blocks are not short runs";
    if (!context.tuning.longRounds) return "longRounds is off";
    if (!conflictsInSets(context.tuning.target.geometry.l1d, node.strideBytes)) return "lines conflict in no set";
    if (!isCached(context, node.count)) return "too many blocks for L2, or as many as are asked for";
    return isFenced(context, node) ? "stores are to be fenced" : [{ what: "single blocks", children: 1 }];
  },
};
