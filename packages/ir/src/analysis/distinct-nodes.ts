import { childrenOfNode } from "../layout/children.js";
import type { LayoutNode } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";

/**
 * Every distinct node from `root` down, level by level, each once however often it is shared. What lies below an empty
 * node is left out: it is never visited. O(nodes + members).
 */
export function distinctNodes(root: LayoutNode): ReadonlySet<LayoutNode> {
  const seen = new Set<LayoutNode>([requireNode(root)]);
  // A set's iterator also visits what is added on the way.
  for (const node of seen) if (node.sizeBytes > 0) for (const child of childrenOfNode(node)) seen.add(child);
  return seen;
}
