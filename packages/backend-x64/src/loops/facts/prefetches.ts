import type { Blocks, Stream } from "@stowage/ir";
import { blocksInL2 } from "../../targets/thresholds.js";
import type { LoopContext } from "../loop-context.js";
import type { Prefetch } from "../plans.js";
import { LINE_BYTES, linesThatFit } from "./cache.js";

/** Whether so many blocks lie in L2. Elements of a run-time count are a stream of 1 here. */
export const isCached = ({ tuning }: LoopContext, count: number): boolean =>
  count > 1 && count <= blocksInL2(tuning.target);

/** What a loop prefetches; undefined: nothing. A prefetch of an unmapped address does nothing. */
export function prefetchOf(context: LoopContext, node: Stream): Prefetch | undefined {
  const blocks = context.tuning.prefetchEntries;
  if (blocks === 0 || node.child.kind !== "dense") return undefined;
  if (node.child.lengthBytes > LINE_BYTES) return headsOf(context, node);
  return isPrefetched(context, node) ? { what: "blocks ahead", blocks } : undefined;
}

/**
 * Whether short blocks so far apart are prefetched. Packing only: unpacking gained nothing by it
 * (docs/notes/2026-11-22-x64.md). Those in L2 have a latency that the reorder buffer covers: there a prefetch is one
 * more load, which Zen 5 pays for.
 */
export const isPrefetched = (context: LoopContext, node: Stream): boolean =>
  context.direction === "pack" &&
  context.tuning.prefetchEntries > 0 &&
  Math.abs(node.strideBytes) >= context.tuning.target.unfollowedStrideBytes &&
  reachesFar(context, node) &&
  (context.tuning.prefetchL2 || !liesInL2(context, node));

/**
 * Whether a stream's lines stay in L2, of which a stride that a power of two divides reaches few sets; out of cache
 * more streams are around it.
 */
function liesInL2(context: LoopContext, { strideBytes, count }: Stream): boolean {
  const { l1d } = context.tuning.target.geometry;
  const linesASet = Math.max(1, linesThatFit(l1d, LINE_BYTES) / linesThatFit(l1d, strideBytes));
  return context.outOfCache === undefined && count > 1 && isCached(context, count * linesASet);
}

/** Whether a stream reaches past L2. Elements of a run-time count may reach anywhere. */
export const reachesFar = ({ tuning }: LoopContext, { count, highBytes, lowBytes }: Stream): boolean =>
  count === 1 || highBytes - lowBytes >= tuning.prefetchReachBytes;

const HEAD_LINES = 4;
/** From this gap on, each block starts a new stream of lines for the hardware prefetcher. */
const LEAST_GAP_BYTES = 1024;

/** The first lines of the next round's blocks. Cheap beside the blocks' own moves, so at any reach. */
function headsOf({ direction, outOfCache }: LoopContext, { child, strideBytes }: Stream): Prefetch | undefined {
  if (Math.abs(strideBytes) - child.sizeBytes < LEAST_GAP_BYTES) return undefined;
  // Non-temporal stores need no line in the cache.
  if (direction === "unpack" && outOfCache !== undefined) return undefined;
  return { what: "heads", lines: Math.min(HEAD_LINES, Math.ceil(child.sizeBytes / LINE_BYTES)) };
}

/** Entries that a round prefetches ahead where the table reaches past L2: no hardware prefetcher follows a table. */
export function prefetchedEntries({ tuning }: LoopContext, { highBytes, lowBytes }: Blocks, entries: number): number {
  return entries > 1 && highBytes - lowBytes >= tuning.prefetchReachBytes ? tuning.prefetchEntries : 0;
}
