import type { LayoutNode } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import type { NodePlan } from "./node-plan.js";
import { choose, type Choice, type Rule } from "./rule.js";
import { called } from "./rules/nodes/called.js";
import { inlined } from "./rules/nodes/inlined.js";
import { unrolled } from "./rules/nodes/unrolled.js";
import { vectors } from "./rules/nodes/vectors.js";

/** In the order in which they are asked; the last one always gives a plan. */
export const NODE_RULES: readonly Rule<LayoutNode, NodePlan>[] = [vectors, unrolled, inlined, called];

const RUN: Choice<NodePlan> = { rule: "run", passed: [], plan: { what: "inlined" } };

/** How all of a node is written where it stands. */
export const planNode = (context: LoopContext, node: LayoutNode): Choice<NodePlan> =>
  node.kind === "dense" ? RUN : choose(NODE_RULES, context, node);
