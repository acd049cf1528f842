import type { IntegerTable } from "../integer-table.js";
import { requireSafeInteger } from "../safe-integer.js";
import type { Bounds } from "./bounds.js";

/**
 * Open MPI adds the blocks of a byte-displaced list one at a time and rounds the extent up after each, so that a
 * block that later proves inner may have pushed the upper bound. `bounds` are those of the list before any padding.
 */
export function stepwisePadded(
  bounds: Bounds,
  child: Bounds,
  displacementsBytes: IntegerTable,
  blocklengthAt: (index: number) => number,
): Bounds {
  const { alignmentBytes } = bounds;
  if (bounds.hasExplicitBounds || bounds.sizeBytes === 0 || alignmentBytes === 1) return bounds;
  let lower = Infinity;
  let upper = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const blocklength = blocklengthAt(i);
    if (blocklength === 0) continue;
    const first = (displacementsBytes[i] as number) + child.lowerBoundBytes;
    const end = first + blocklength * child.extentBytes;
    if (first >= lower && end <= upper) continue;
    lower = Math.min(lower, first);
    upper = Math.max(upper, end);
    upper = lower + Math.ceil((upper - lower) / alignmentBytes) * alignmentBytes;
  }
  return { ...bounds, extentBytes: requireSafeInteger(upper - lower, "padded extent in bytes") };
}
