import { nearRoundOf } from "../../facts/near-blocks.js";
import type { StreamRule } from "../../rule.js";

/**
 * At AVX2, packing short blocks near each other: loads that reach several blocks, laid over each other by blends or put
 * in order by shuffles, and stored a vector at a time. 1.64 over single stores on a Zen 4
 * (results/epyc/near-blocks.json).
 */
export const nearBlocks: StreamRule = {
  name: "near blocks",
  plan(context, { node, most }) {
    const near = nearRoundOf(context, node.child, node.strideBytes, most);
    if (near === undefined) return "no packing at AVX2, or blocks that full vectors do not gain by";
    return [{ what: "near blocks", children: near.children, near }];
  },
};
