import type { LayoutNode } from "./node.js";
import { requireNode } from "./require-node.js";

const NONE: readonly LayoutNode[] = Object.freeze([]);

/** The nodes directly below a node of a layout. */
export function childrenOfNode(node: LayoutNode): readonly LayoutNode[] {
  requireNode(node);
  switch (node.kind) {
    case "dense":
      return NONE;
    case "stream":
    case "blocks":
      return [node.child];
    case "sequence":
      return node.members.map((member) => member.node);
  }
}
