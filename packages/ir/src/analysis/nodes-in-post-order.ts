import { childrenOfNode } from "../layout/children.js";
import type { LayoutNode } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";

/** Every distinct node from `root` down, children before their parents. What lies below an empty node is left out. */
export function nodesInPostOrder(root: LayoutNode): readonly LayoutNode[] {
  const ordered: LayoutNode[] = [];
  const seen = new Set<LayoutNode>();
  const open: { readonly node: LayoutNode; readonly isDone: boolean }[] = [{ node: requireNode(root), isDone: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isDone } = next;
    if (isDone) ordered.push(node);
    if (seen.has(node)) continue;
    seen.add(node);
    open.push({ node, isDone: true });
    if (node.sizeBytes > 0) for (const child of childrenOfNode(node)) open.push({ node: child, isDone: false });
  }
  return ordered;
}
