import { isRuns, type Blocks, type LayoutNode } from "@stowage/ir";
import { YMM_BYTES } from "../../widths.js";
import type { LoopContext } from "../loop-context.js";
import type { NonTemporalRunsPlan, OutOfCachePlan } from "../plans.js";
import { LINE_BYTES } from "./cache.js";
import { NON_TEMPORAL_RUN_BYTES } from "./lengths.js";

/** Elements of which so many stay below `nonTemporalBytes` are not worth a second copy of their code. */
export const MOST_ELEMENTS = 2048;

/** Runs that begin and end on line boundaries of the target. */
export const wholeLines = ({ isa }: LoopContext): NonTemporalRunsPlan => ({
  outOfCache: { what: "runs", width: Math.min(isa.widest, YMM_BYTES) as 16 | 32, merged: false },
  alignmentBytes: LINE_BYTES,
});

export const COLUMNS: OutOfCachePlan = { outOfCache: { what: "columns" }, alignmentBytes: LINE_BYTES };

export const LONG_RUNS: OutOfCachePlan = { outOfCache: { what: "long runs" }, alignmentBytes: 1 };

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
