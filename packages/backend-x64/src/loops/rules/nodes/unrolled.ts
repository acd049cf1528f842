import type { LayoutNode } from "@stowage/ir";
import { unrolledMoves } from "../../unrolled-moves.js";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import type { NodePlan } from "../../node-plan.js";
import type { Rule } from "../../rule.js";

/** Most unrolled moves out of cache: loops cost nothing there and are quicker to compile. */
const MOST_OUT_OF_CACHE_MOVES = 8;

const UNROLLED: NodePlan = { what: "unrolled" };

/** Few moves, block by block: displacements are constants, and nothing is counted. */
export const unrolled: Rule<LayoutNode, NodePlan> = {
  name: "unrolled",
  plan: (context, node) => (isUnrolled(context, node) ? UNROLLED : "more moves than are written out one by one"),
};

export function isUnrolled(context: LoopContext, node: LayoutNode): boolean {
  const { outOfCache, tuning } = context;
  const most = outOfCache === undefined ? tuning.unrollMoves : Math.min(tuning.unrollMoves, MOST_OUT_OF_CACHE_MOVES);
  return unrolledMoves(node, widestMoveOf(context), most) <= most;
}
