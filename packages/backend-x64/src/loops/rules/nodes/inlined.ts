import type { LayoutNode } from "@stowage/ir";
import { isInlined } from "../../facts/nodes.js";
import type { NodePlan } from "../../plans.js";
import type { Rule } from "../../rule.js";

const INLINED: NodePlan = { what: "inlined" };

/** Nests of few loops where they stand: code that is written for each use of a node and saves its call. */
export const inlined: Rule<LayoutNode, NodePlan> = {
  name: "inlined",
  plan: (_, node) =>
    isInlined(node) ? INLINED : "a nest too deep, or of too many members, to be written for each use",
};
