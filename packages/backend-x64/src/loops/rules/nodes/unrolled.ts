import type { LayoutNode } from "@stowage/ir";
import { isUnrolled } from "../../facts/nodes.js";
import type { NodePlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

const UNROLLED: NodePlan = { what: "unrolled" };

/** Few moves, block by block: displacements are constants, and nothing is counted. */
export const unrolled: Rule<LayoutNode, NodePlan> = {
  name: "unrolled",
  plan: (context, node) => (isUnrolled(context, node) ? UNROLLED : "more moves than are written out one by one"),
};
