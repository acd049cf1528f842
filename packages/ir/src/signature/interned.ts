import type { SignatureNode } from "./signature-node.js";

/** A number for every node below the roots; nodes with the same structure get the same number. O(nodes). */
export function interned(...roots: readonly SignatureNode[]): ReadonlyMap<SignatureNode, number> {
  const ids = new Map<SignatureNode, number>();
  const byStructure = new Map<string, number>();
  const stack = [...roots];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const waiting = ids.has(top) ? [] : childrenOf(top).filter((child) => !ids.has(child));
    if (waiting.length > 0) {
      stack.push(...waiting);
      continue;
    }
    stack.pop();
    const key = structureOf(top, ids);
    const id = byStructure.get(key) ?? byStructure.size;
    byStructure.set(key, id);
    ids.set(top, id);
  }
  return ids;
}

function childrenOf(node: SignatureNode): readonly SignatureNode[] {
  switch (node.kind) {
    case "repeat":
      return [node.child];
    case "pair":
      return [node.first, node.second];
    case "basic":
    case "empty":
      return [];
  }
}

function structureOf(node: SignatureNode, ids: ReadonlyMap<SignatureNode, number>): string {
  switch (node.kind) {
    case "basic":
      return node.name;
    case "repeat":
      return `${node.count}×${ids.get(node.child)}`;
    case "pair":
      return `${ids.get(node.first)},${ids.get(node.second)}`;
    case "empty":
      return "";
  }
}
