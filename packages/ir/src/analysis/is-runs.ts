import type { Blocks, Dense } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";

/** Blocks of which each is one contiguous run of bytes. */
export type RunBlocks = Blocks & { readonly child: Dense };

/**
 * Whether each block is one contiguous run, whatever its blocklength: one dense child, or dense children that touch.
 */
export const isRuns = (node: Blocks): node is RunBlocks =>
  requireNode(node).kind === "blocks" &&
  node.child.kind === "dense" &&
  (node.blocklengths === 1 || node.strideBytes === node.child.lengthBytes);
