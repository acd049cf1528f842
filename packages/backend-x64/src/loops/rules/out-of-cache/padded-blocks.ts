import { distinctNodes, type Stream } from "@stowage/ir";
import { pagesBeyondDtlb } from "../../../targets/thresholds.js";
import { isPageApart } from "../../facts/conflicts.js";
import { MOST_ELEMENTS } from "../../facts/large-elements.js";
import { nopsOutOfCache } from "../../facts/padding.js";
import type { LoopContext } from "../../loop-context.js";
import type { OutOfCachePlan } from "../../plans.js";
import type { OutOfCacheRule } from "../../rule.js";

const PADDED: OutOfCachePlan = { outOfCache: { what: "padded" }, alignmentBytes: 1 };

/**
 * Short blocks with NOP padding behind each, which keeps later blocks out of the reorder buffer: misses that find no
 * fill buffer are retried. At 16 MiB 12 bytes 128 apart take 8 a block 1.22 times as fast on a Zen 4, on a Xeon 0.83 to
 * 0.92, where it is off.
 */
export const paddedBlocks: OutOfCacheRule = {
  name: "padded blocks",
  plan(context, { stream, sizeBytes, isMostlyLong }) {
    const { nonTemporalBytes } = context.tuning;
    if (sizeBytes < nonTemporalBytes / MOST_ELEMENTS) return "elements too small for code of their own";
    if (isMostlyLong()) return "most bytes lie in long runs";
    const streams = [...distinctNodes(stream)]
      .filter((node) => node.kind === "stream")
      .filter((node) => isPadded(context, node));
    if (streams.length === 0) return "no short blocks";
    const least = paddedFromBytes(context, streams);
    return least.fullBytes <= nonTemporalBytes
      ? { ...PADDED, ...least }
      : "no processor that gains, and blocks that share pages";
  },
};

/** Whether short blocks of such a stream have NOP padding between them out of cache. */
const isPadded = (context: LoopContext, { child, strideBytes }: Stream): boolean =>
  nopsOutOfCache(context, child, strideBytes) > 0;

/**
 * Packed bytes from which blocks of such streams have NOP padding: beyond the dTLB's reach, or beyond the caches. Parts
 * are those of messages, of which what is sent and what is received in turn have half of the dTLB each.
 */
function paddedFromBytes(
  context: LoopContext,
  streams: readonly Stream[],
): Required<Pick<OutOfCachePlan, "fullBytes" | "fullBytesOfParts">> {
  const { paddedPages, paddedBlocks, nonTemporalBytes, target } = context.tuning;
  const inPages = paddedPages && streams.every((node) => isPageApart(context, node));
  const pagesFromBytes = inPages
    ? pagesBeyondDtlb(target) * Math.max(...streams.map(({ child }) => child.sizeBytes))
    : Infinity;
  const cachesFromBytes = paddedBlocks ? nonTemporalBytes : Infinity;
  return {
    fullBytes: Math.min(pagesFromBytes, cachesFromBytes),
    fullBytesOfParts: Math.min(pagesFromBytes / 2, cachesFromBytes),
  };
}
