import type { LayoutNode } from "../layout/node.js";

/**
 * Aligned units of memory, such as cache lines or sectors of `unitBytes`, that one element's blocks touch: on average
 * over all addresses a block of n bytes touches about n / unitBytes + 1, and no element more than its span has.
 */
export const touchedUnits = ({ sizeBytes, blockCount, lowBytes, highBytes }: LayoutNode, unitBytes: number): number =>
  Math.min(Math.ceil((highBytes - lowBytes) / unitBytes) + 1, sizeBytes / unitBytes + blockCount);
