import type { Stream } from "@stowage/ir";
import { blocksInL2 } from "../../../targets/thresholds.js";
import { conflictsInOneSet, linesOfSet, wayBytesOf } from "../../cache.js";
import type { LoopContext } from "../../loop-context.js";
import { isShort } from "../../short-blocks.js";
import type { StreamRule } from "../../stream-rule.js";

/** The prefetcher follows strides up to so many ways. */
const MOST_WAYS_FOLLOWED = 2;
/** More lie in memory, where waiting costs most: up to a third. */
export const MOST_WAITED_FOR = 16_384;

/**
 * Unpacking short blocks whose lines fall into one set of L1d: a fence behind each block. More outstanding stores than
 * the set has ways evict each other's lines before they are written. One block a round where the prefetcher follows the
 * stride. 1.16 over the plain loop on a Zen 4, 0.76 on a Xeon, where it is off (results/epyc/strides.json,
 * results/xeon/strides.json).
 */
export const fencedStores: StreamRule = {
  name: "fenced stores",
  plan(context, { node, most }) {
    if (!isShort(node)) return "blocks are not short runs";
    if (!isFenced(context, node)) return "no stores that conflict in one set, or no processor that gains";
    const { l1d } = context.tuning.target.geometry;
    const isFollowed =
      Math.abs(node.strideBytes) <= MOST_WAYS_FOLLOWED * wayBytesOf(l1d) && isCached(context, node.count);
    const children = isFollowed ? 1 : linesOfSet(l1d);
    return children > most ? "fewer blocks than ways" : [{ what: "single blocks", children, fenced: true }];
  },
};

/** Whether each store to so many lines so far apart waits for those before it. */
export const isFenced = (
  { direction, tuning }: LoopContext,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.fencedConflicts &&
  direction === "unpack" &&
  conflictsInOneSet(tuning.target.geometry.l1d, strideBytes) &&
  count <= MOST_WAITED_FOR;

/** Whether so many blocks lie in L2. Elements of a run-time count are a stream of 1 here. */
export const isCached = ({ tuning }: LoopContext, count: number): boolean =>
  count > 1 && count <= blocksInL2(tuning.target);
