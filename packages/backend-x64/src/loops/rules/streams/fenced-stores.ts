import type { Stream } from "@stowage/ir";
import { halfLinesOf, wayBytesOf } from "../../../targets/geometry.js";
import type { LoopContext } from "../../loop-context.js";
import { isShort } from "../../short-blocks.js";
import type { StreamRule } from "../../stream-rule.js";

/** More lie in memory, where waiting costs most: up to a third. */
export const MOST_WAITED_FOR = 16_384;
/** Blocks of a round. */
const BLOCKS_A_ROUND = 8;

/**
 * Unpacking short blocks whose lines fall into one set of L1d: a fence behind each block. More outstanding stores than the set
 * has ways evict each other's lines before they are written. One block a round where the prefetcher follows the stride.
 * 1.16 over the plain loop on a Zen 4, 0.76 on a Xeon, where it is off (results/epyc/strides.json, results/xeon/strides.json).
 */
export const fencedStores: StreamRule = {
  name: "fenced stores",
  plan(context, { node, most }) {
    if (!isShort(node)) return "blocks are not short runs";
    if (!isFenced(context, node)) return "no stores that conflict in one set, or no processor that gains";
    const isFollowed =
      Math.abs(node.strideBytes) <= context.tuning.hardware.followedStrideBytes && isCached(context, node.count);
    const children = isFollowed ? 1 : BLOCKS_A_ROUND;
    return children > most ? "fewer blocks than a round has" : [{ what: "single blocks", children, fenced: true }];
  },
};

/** Whether each store to so many lines so far apart waits for those before it. */
export const isFenced = (
  { direction, tuning }: LoopContext,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.limitSetConflicts &&
  direction === "unpack" &&
  strideBytes !== 0 &&
  strideBytes % wayBytesOf(tuning.hardware.l1d) === 0 &&
  count <= MOST_WAITED_FOR;

/** Whether the lines of so many blocks fill half of L2 at most. Elements of a run-time count are a stream of 1 here. */
export const isCached = ({ tuning }: LoopContext, count: number): boolean =>
  count > 1 && count <= halfLinesOf(tuning.hardware.l2);
