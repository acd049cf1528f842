import { displacementOrder, type Blocks } from "@stowage/ir";
import { widestMoveOf } from "../../loop-context.js";
import type { Rule } from "../../rule.js";
import type { WalkedBlocks, WalkPlan } from "../../walk-plan.js";
import { isShortRun } from "../lengths/written-out.js";

/**
 * Displacements in ascending order, each with its place in the packed stream: unpacking then writes memory in order
 * and reads the packed bytes out of order. Prabhu and Gropp, DAME, section 3.3. It gains 6 to 50 % at 10^6 blocks, whose commit takes
 * 106 ms instead of 6, and loses up to 20 % in the caches (results/epyc/dame-paper-tables.json): off unless `sortBlocks` says from when.
 */
export const sortedEntries: Rule<WalkedBlocks, WalkPlan> = {
  name: "sorted entries",
  plan(context, { node, isWhole }) {
    const { displacementsBytes, child } = node;
    if (context.direction === "pack" || displacementsBytes.length < context.tuning.sortBlocks)
      return "no unpacking of enough blocks";
    if (!isWhole) return "a part of the table";
    if (node.blocklengths !== 1 || !isShortRun(child, widestMoveOf(context))) return "blocks are not short runs";
    const words = wordsOf(node);
    return words === undefined ? "blocks ascend already, or offsets past 32 bits" : { what: "sorted", words };
  },
};

function wordsOf(node: Blocks): Int32Array | undefined {
  const { displacementsBytes } = node;
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
