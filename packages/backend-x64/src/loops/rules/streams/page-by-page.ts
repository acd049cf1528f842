import type { Stream } from "@stowage/ir";
import { PAGE_BYTES } from "../../../page.js";
import { conflictsInSets } from "../../cache.js";
import type { LoopContext } from "../../loop-context.js";
import { isShort } from "../../short-blocks.js";
import type { StreamRule } from "../../stream-rule.js";
import { MOST_WAITED_FOR } from "./fenced-stores.js";
import { prefetchOf } from "./prefetches.js";

/** Strides from which prefetchers that follow stores are of use: below, unpacking is at 0.83 to 1.0. */
const LEAST_STORED_BYTES = 1.5 * PAGE_BYTES;

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

/** Whether the blocks of a stream lie in pages of their own, at strides where rounds of one block gain. */
export function isPageApart({ direction, tuning }: LoopContext, { strideBytes, count }: Stream): boolean {
  if (Math.abs(strideBytes) < (direction === "pack" ? PAGE_BYTES : LEAST_STORED_BYTES)) return false;
  const conflicts = conflictsInSets(tuning.target.geometry.l1d, strideBytes);
  const isLimited = direction === "pack" ? tuning.paddedConflicts : tuning.fencedConflicts;
  return !conflicts || (!isLimited && count <= MOST_WAITED_FOR);
}
