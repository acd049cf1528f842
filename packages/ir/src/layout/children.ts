import type { LayoutNode } from "./node.js";

const NONE: readonly LayoutNode[] = Object.freeze([]);

export function childrenOfNode(node: LayoutNode): readonly LayoutNode[] {
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
