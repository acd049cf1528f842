import type { LayoutNode } from "@stowage/ir";
import { isInlined, unrolledMoves } from "./cost.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import { nearRoundOf } from "./near-round-of.js";
import { isPermuted } from "./permuted-blocks.js";

/** How all of a node is written where it stands: block by block, by its routine, or as its kind is. */
export type Way = "unrolled" | "called" | "inlined";

/** Most unrolled moves out of cache: loops cost nothing there and are quicker to compile. */
const MOST_OUT_OF_CACHE_MOVES = 8;

function isUnrolled(context: LoopContext, node: LayoutNode): boolean {
  const { outOfCache, tuning } = context;
  const most = outOfCache === undefined ? tuning.unrollMoves : Math.min(tuning.unrollMoves, MOST_OUT_OF_CACHE_MOVES);
  return unrolledMoves(node, widestMoveOf(context), most) <= most;
}

/** Vectors of several blocks are better than the blocks one by one. */
const isOfVectors = (context: LoopContext, node: LayoutNode): boolean =>
  node.kind === "stream" &&
  (nearRoundOf(context, node.child, node.strideBytes, node.count) !== undefined || isPermuted(context, node));

export function wayOf(context: LoopContext, node: LayoutNode): Way {
  if (node.kind === "dense" || isOfVectors(context, node)) return "inlined";
  if (isUnrolled(context, node)) return "unrolled";
  return isInlined(node) ? "inlined" : "called";
}

/** Members of a sequence that move this much are called: a call costs nothing beside it, and parts of them need the same code. */
const LEAST_CALLED_BYTES = 1024;

/** Whether a member of a sequence that has a routine of its own is called. */
export const isCalledMember = (context: LoopContext, node: LayoutNode): boolean =>
  node.kind !== "dense" && node.sizeBytes >= LEAST_CALLED_BYTES && !isUnrolled(context, node);
