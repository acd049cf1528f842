import { nodeStatistics, type LayoutNode } from "@stowage/ir";
import type { Width } from "../../widths.js";
import { widestMoveOf, type LoopContext } from "../loop-context.js";
import { LEAST_COPIED_BYTES } from "./lengths.js";

/** Moves of a node that is fully unrolled; Infinity where it cannot be. */
export function unrolledMoves(node: LayoutNode, widest: Width, most: number): number {
  if (node.sizeBytes === 0) return 0;
  if (node.blockCount > most) return Infinity;
  switch (node.kind) {
    case "dense":
      return Math.ceil(node.lengthBytes / widest);
    case "stream":
      return node.count * unrolledMoves(node.child, widest, most);
    case "blocks":
      return (
        node.blockCount *
        unrolledMoves(node.child, widest, most) *
        (node.child.kind === "dense" && node.blocklengths !== 1 ? 4 : 1)
      );
    case "sequence":
      return node.members.reduce((sum, member) => sum + unrolledMoves(member.node, widest, most), 0);
  }
}

/** Most unrolled moves out of cache: loops cost nothing there and are quicker to compile. */
const MOST_OUT_OF_CACHE_MOVES = 8;

export function isUnrolled(context: LoopContext, node: LayoutNode): boolean {
  const { outOfCache, tuning } = context;
  const most = outOfCache === undefined ? tuning.unrollMoves : Math.min(tuning.unrollMoves, MOST_OUT_OF_CACHE_MOVES);
  return unrolledMoves(node, widestMoveOf(context), most) <= most;
}

/** Streams, and tables or lists, around each other at most. */
const MOST_DEEP_STREAMS = 3;
const MOST_DEEP_TABLES = 2;
const MOST_MEMBERS = 8;

/** Whether the code of a node fits into its parent's; other nodes are called. */
export function isInlined(node: LayoutNode, depth = 0): boolean {
  switch (node.kind) {
    case "dense":
      return true;
    case "stream":
      return depth < MOST_DEEP_STREAMS && isInlined(node.child, depth + 1);
    case "blocks":
      return depth < MOST_DEEP_TABLES && node.child.kind === "dense" && node.blocklengths === 1;
    case "sequence":
      return (
        depth < MOST_DEEP_TABLES &&
        node.members.length <= MOST_MEMBERS &&
        node.members.every((member) => member.node.kind === "dense")
      );
  }
}

/** Loops around each other whose counters are registers; the next one's lies on the stack. */
const MOST_COUNTERS = 4;

/** Whether the code of a node leaves the loop counters alone: it neither calls nor walks a table. */
export function isPlain(node: LayoutNode, depth = 0): boolean {
  switch (node.kind) {
    case "dense":
      // Longer runs may need registers of their own.
      return depth < MOST_COUNTERS && node.lengthBytes < LEAST_COPIED_BYTES;
    case "stream":
      return isInlined(node, depth) && isPlain(node.child, depth + 1);
    case "blocks":
      return false;
    case "sequence":
      return isInlined(node, depth) && node.members.every((member) => isPlain(member.node, depth + 1));
  }
}

/**
 * Members of a sequence that move this much are called: a call costs nothing beside it, and parts of them need the same
 * code.
 */
const LEAST_CALLED_BYTES = 1024;

/**
 * Whether a member of a sequence that has a routine of its own is called. WRF types commit in 0.75 to 0.85 of the time
 * by it.
 */
export const isCalledMember = (context: LoopContext, node: LayoutNode): boolean =>
  node.kind !== "dense" && node.sizeBytes >= LEAST_CALLED_BYTES && !isUnrolled(context, node);

/** Entries of tables that are not worth writing twice. */
const MOST_ENTRIES = 4096;

/**
 * Whether first calls, which are of whole elements mostly, get code of their own: a third of a program's, and as much
 * of its commit.
 */
export const hasFirstCalls = (node: LayoutNode): boolean => nodeStatistics(node).tableEntries <= MOST_ENTRIES;
