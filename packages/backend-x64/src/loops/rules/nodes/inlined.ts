import type { LayoutNode } from "@stowage/ir";
import type { NodePlan } from "../../node-plan.js";
import type { Rule } from "../../rule.js";

/** Streams, and tables or lists, around each other at most. */
const MOST_DEEP_STREAMS = 3;
const MOST_DEEP_TABLES = 2;
const MOST_MEMBERS = 8;

const INLINED: NodePlan = { what: "inlined" };

/** Nests of few loops where they stand: code that is written for each use of a node and saves its call. */
export const inlined: Rule<LayoutNode, NodePlan> = {
  name: "inlined",
  plan: (_, node) =>
    isInlined(node) ? INLINED : "a nest too deep, or of too many members, to be written for each use",
};

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
