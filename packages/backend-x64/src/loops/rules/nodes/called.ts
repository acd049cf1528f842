import type { LayoutNode } from "@stowage/ir";
import type { NodePlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

const CALLED: NodePlan = { what: "called" };

/** A routine of the node's own, written once however often it is used: what always can be done. */
export const called: Rule<LayoutNode, NodePlan> = { name: "called", plan: () => CALLED };
