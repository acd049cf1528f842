import { isRuns, type Blocks, type LayoutNode } from "@stowage/ir";
import type { OutOfCachePlan, OutOfCacheRule } from "../../out-of-cache-rule.js";
import { MOST_ELEMENTS } from "./non-temporal-runs.js";

/**
 * Runs from which the full lines inside take non-temporal stores, whatever the alignment of their ends: at 16 MiB those
 * of 13 to 73 KiB take them 1.2 to 1.6 times as fast, those of 1.9 KiB 1.0, those of 1 KiB 0.7 to 0.9.
 */
export const NON_TEMPORAL_RUN_BYTES = 1536;

export const LONG_RUNS: OutOfCachePlan = { outOfCache: { what: "long runs" }, alignmentBytes: 1 };

/**
 * Long runs that begin anywhere: the lines inside them by non-temporal stores, both ends by moves that overlap them.
 */
export const longRuns: OutOfCacheRule = {
  name: "long runs",
  plan(context, { sizeBytes, isMostlyLong }) {
    if (sizeBytes < context.tuning.nonTemporalBytes / MOST_ELEMENTS) return "elements too small for code of their own";
    return isMostlyLong() ? LONG_RUNS : "most bytes lie in shorter runs";
  },
};

const LEAST_LONG_SHARE = 0.75;

/** Whether most bytes lie in runs that are long. */
export const isMostlyLong = (elements: LayoutNode): boolean =>
  longBytes(elements) >= LEAST_LONG_SHARE * elements.sizeBytes;

function longBytes(node: LayoutNode): number {
  switch (node.kind) {
    case "dense":
      return node.lengthBytes >= NON_TEMPORAL_RUN_BYTES ? node.lengthBytes : 0;
    case "stream":
      return node.count * longBytes(node.child);
    case "blocks":
      return longBytesOfBlocks(node);
    case "sequence":
      return node.members.reduce((sum, member) => sum + longBytes(member.node), 0);
  }
}

function longBytesOfBlocks(node: Blocks): number {
  const { child, blocklengths, displacementsBytes } = node;
  if (!isRuns(node) || blocklengths === 1) return displacementsBytes.length * longBytes(child);
  let sum = 0;
  for (const length of blocklengths) {
    const bytes = length * child.sizeBytes;
    if (bytes >= NON_TEMPORAL_RUN_BYTES) sum += bytes;
  }
  return sum;
}
