import type { LayoutNode } from "../layout/node.js";
import { requireNode } from "../layout/require-node.js";
import { requireNatural } from "../safe-integer.js";

/**
 * Aligned units of memory, such as cache lines or sectors of `unitBytes`, that one element's blocks touch: on average
 * over all addresses a block of n bytes touches about n / unitBytes + 1, and no element more than its span has.
 */
export function touchedUnits(node: LayoutNode, unitBytes: number): number {
  const { sizeBytes, blockCount, lowBytes, highBytes } = requireNode(node);
  requireNatural(unitBytes, "bytes of a unit of memory");
  return Math.min(Math.ceil((highBytes - lowBytes) / unitBytes) + 1, sizeBytes / unitBytes + blockCount);
}
