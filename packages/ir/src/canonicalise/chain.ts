import type { Blocks, Dense, LayoutNode, Stream } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";

/** A layout's nodes from its root down, where none has several children: regular datatypes and lists lower to that. */
export interface Chain {
  readonly inner: readonly (Stream | Blocks)[];
  readonly leaf: Dense;
}

/** Undefined where a sequence is among the nodes. */
export function chainOf(root: LayoutNode): Chain | undefined {
  const inner: (Stream | Blocks)[] = [];
  let node = requireNode(root);
  while (node.kind !== "dense") {
    if (node.kind === "sequence") return undefined;
    inner.push(node);
    node = requireNode(node.child);
  }
  return { inner, leaf: node };
}

/** Whether it has a node of one of these kinds. */
export function hasKind({ inner }: Chain, kinds: readonly LayoutNode["kind"][]): boolean {
  if (kinds.includes("dense")) return true;
  for (const { kind } of inner) if (kinds.includes(kind)) return true;
  return false;
}
