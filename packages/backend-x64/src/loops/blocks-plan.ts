import { displacementOrder, type Blocks } from "@stowage/ir";
import { isShortRun } from "./cost.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import { mergedEntries } from "./merged-blocks.js";
import { childrenPerRound } from "./single-rounds.js";

/** How a walk over a table moves its blocks. */
export type WalkPlan =
  | {
      readonly what: "short runs";
      /** Entries of a round. */
      readonly entries: number;
      /** Whether they are put together in registers. */
      readonly merged: boolean;
      /** Entries that are prefetched ahead; 0: none. */
      readonly ahead: number;
    }
  | { readonly what: "nested" };

const NESTED: WalkPlan = { what: "nested" };

export function walkOf(context: LoopContext, { child, highBytes, lowBytes }: Blocks): WalkPlan {
  if (!isShortRun(child, widestMoveOf(context))) return NESTED;
  const { prefetchEntries, prefetchReachBytes } = context.tuning;
  const merged = mergedEntries(context, child);
  const entries = merged ?? childrenPerRound(context, child);
  const ahead = entries > 1 && highBytes - lowBytes >= prefetchReachBytes ? prefetchEntries : 0;
  return { what: "short runs", entries, merged: merged !== undefined, ahead };
}

/**
 * Displacements in ascending order, each with its place in the packed stream: unpacking then writes memory in order
 * and reads the packed bytes out of order. Prabhu and Gropp, DAME, section 3.3. undefined: packing, blocks that
 * ascend already, few or long ones, or offsets past 32 bits.
 */
export function sortedTable(context: LoopContext, node: Blocks): Int32Array | undefined {
  const { displacementsBytes, child } = node;
  if (context.direction === "pack" || displacementsBytes.length < context.tuning.sortBlocks) return undefined;
  if (node.blocklengths !== 1 || !isShortRun(child, widestMoveOf(context))) return undefined;
  if (!(displacementsBytes instanceof Int32Array)) return undefined;
  const order = displacementOrder(node);
  if (order === undefined || !(order.packedBytes instanceof Int32Array)) return undefined;
  const words = new Int32Array(2 * displacementsBytes.length);
  for (let i = 0; i < order.blocks.length; i++) {
    words[2 * i] = displacementsBytes[order.blocks[i] as number] as number;
    words[2 * i + 1] = order.packedBytes[i] as number;
  }
  return words;
}
