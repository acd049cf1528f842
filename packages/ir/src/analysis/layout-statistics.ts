import { isRunGroup } from "../byte-map/run-group.js";
import { requireLayout, type Layout } from "../layout/layout.js";
import type { LayoutNode } from "../layout/node.js";
import { blockStatistics, type BlockStatistics } from "./block-statistics.js";
import { nodeAlignment } from "./common-alignment.js";
import { nodeStatistics, type NodeStatistics } from "./node-statistics.js";
import { visitedParts, type VisitedParts } from "./visited-parts.js";

/**
 * All that cost models ask of ONE element of a layout, in constant space: its blocks, how they are reached, the memory
 * that they touch, and how much there is to write down of it.
 */
export interface LayoutStatistics extends BlockStatistics, NodeStatistics, VisitedParts {
  /** Packed bytes of one element. */
  readonly sizeBytes: number;
  /** Bytes from the lowest that is touched to one past the highest. */
  readonly spanBytes: number;
  readonly extentBytes: number;
  /** Whether elements laid side by side are one run of bytes. */
  readonly isOneRun: boolean;
  /** Loops around the innermost one; 0 where that is all. */
  readonly depth: number;
  /** Greatest power of two, 64 at most, that divides every run, its place and the extent. */
  readonly alignmentBytes: number;
}

/** A layout is immutable: what was found of it once holds, and goes with it. */
const known = new WeakMap<Layout, LayoutStatistics>();

/** Measures a layout, once: O(nodes + members + table entries), then O(1). Throws an ArgumentError for no layout. */
export function layoutStatistics(layout: Layout): LayoutStatistics {
  const found = known.get(requireLayout(layout));
  if (found !== undefined) return found;
  const statistics = Object.freeze(statisticsOf(layout));
  known.set(layout, statistics);
  return statistics;
}

const MOST_ALIGNMENT_BYTES = 64;

function statisticsOf({ root, sizeBytes, extentBytes }: Layout): LayoutStatistics {
  const alignmentBytes = nodeAlignment(root, MOST_ALIGNMENT_BYTES);
  return {
    ...blockStatistics(root),
    ...nodeStatistics(root),
    ...visitedParts(root, alignmentBytes),
    sizeBytes,
    spanBytes: spanOf(root),
    extentBytes,
    isOneRun: root.kind === "dense" && extentBytes === sizeBytes,
    depth: isRunGroup(root) ? 0 : root.depth - 1,
    alignmentBytes,
  };
}

const spanOf = ({ sizeBytes, highBytes, lowBytes }: LayoutNode): number => (sizeBytes === 0 ? 0 : highBytes - lowBytes);
