import type { LayoutNode } from "@stowage/ir";
import type { LoopContext } from "../../loop-context.js";
import type { NodePlan } from "../../node-plan.js";
import type { Rule } from "../../rule.js";
import { isUnrolled } from "./unrolled.js";

const CALLED: NodePlan = { what: "called" };

/** A routine of the node's own, written once however often it is used: what always can be done. */
export const called: Rule<LayoutNode, NodePlan> = { name: "called", plan: () => CALLED };

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
