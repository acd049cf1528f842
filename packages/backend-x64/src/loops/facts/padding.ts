import type { LayoutNode, Stream } from "@stowage/ir";
import { instructionsALine } from "../../targets/thresholds.js";
import type { LoopContext } from "../loop-context.js";
import { LINE_BYTES } from "./cache.js";
import { isFenced, isPageApart, isShort, nopsAgainstConflicts } from "./conflicts.js";

/** Those that move a short block. */
const INSTRUCTIONS_A_BLOCK = 3;
/** Longest block that is followed by NOP padding. */
const LONGEST_PADDED_BYTES = 2 * LINE_BYTES;

export function nopsOutOfCache({ tuning }: LoopContext, child: LayoutNode, strideBytes: number): number {
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > LONGEST_PADDED_BYTES) return 0;
  const lines = Math.min((child.lengthBytes - 1) / LINE_BYTES + 1, Math.abs(strideBytes) / LINE_BYTES);
  return Math.max(0, Math.round(instructionsALine(tuning.target) * lines) - INSTRUCTIONS_A_BLOCK);
}

/** NOP padding behind each block of a stream: it keeps later blocks out of the reorder buffer. */
export function nopsBehind(context: LoopContext, node: Stream): number {
  const isOutOfCache = context.outOfCache?.what === "padded";
  const space = isOutOfCache ? nopsOutOfCache(context, node.child, node.strideBytes) : 0;
  if (!isShort(node) || isFenced(context, node) || (isOutOfCache && isPageApart(context, node))) return space;
  return Math.max(space, nopsAgainstConflicts(context, node));
}
