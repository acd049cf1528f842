import { requireNatural, requireSafeInteger } from "../safe-integer.js";
import { EMPTY_FACTS, type LayoutFacts } from "./facts.js";
import type { LayoutNode, Stream } from "./node.js";
import { requireNode } from "./require-node.js";

/**
 * `count` copies of the child, copy i at i × strideBytes from the node's zero.
 * @throws DatatypeError where `count` is no natural number, or the reach of the copies leaves the safe integers.
 */
export function stream(count: number, strideBytes: number, child: LayoutNode): Stream {
  requireNatural(count, "count of a stream");
  requireSafeInteger(strideBytes, "stride of a stream in bytes");
  requireNode(child, "child of a stream");
  return Object.freeze({ kind: "stream", count, strideBytes, child, ...streamFacts(count, strideBytes, child) });
}

/** The facts of `count` copies of `child` at `strideBytes`; shared with blocks of several copies. */
export function streamFacts(count: number, strideBytes: number, child: LayoutNode): LayoutFacts {
  if (count === 0 || child.sizeBytes === 0) return { ...EMPTY_FACTS, depth: child.depth + 1 };
  const lastBytes = requireSafeInteger((count - 1) * strideBytes, "reach of a stream in bytes");
  return {
    sizeBytes: requireSafeInteger(count * child.sizeBytes, "size of a stream in bytes"),
    lowBytes: requireSafeInteger(child.lowBytes + Math.min(0, lastBytes), "lowest byte of a stream"),
    highBytes: requireSafeInteger(child.highBytes + Math.max(0, lastBytes), "highest byte of a stream"),
    blockCount: count * child.blockCount,
    depth: child.depth + 1,
  };
}
