import type { Blocks, Dense, LayoutNode, Stream } from "../layout/node.js";

/** A node whose runs follow from its own fields, without a walk: the unit that the inner loops take at once. */
export type RunGroup = Dense | (Stream & { readonly child: Dense }) | (Blocks & { readonly child: Dense });

export function isRunGroup(node: LayoutNode): node is RunGroup {
  switch (node.kind) {
    case "dense":
      return true;
    case "stream":
      return node.child.kind === "dense";
    case "blocks":
      return node.child.kind === "dense" && isOneRunABlock(node, node.child);
    case "sequence":
      return false;
  }
}

/** Copies of a dense child at its own length touch: the block is one run, whatever its blocklength. */
const isOneRunABlock = (node: Blocks, child: Dense): boolean =>
  node.blocklengths === 1 || node.strideBytes === child.lengthBytes;
