import { requireSafeInteger } from "../safe-integer.js";
import type { Bounds } from "./bounds.js";

/**
 * The standard's epsilon: the extent of a type whose bounds nobody set is rounded up to a multiple of its alignment,
 * by moving the upper bound (MPI 4.1, section 5.1.5).
 */
export function padded(bounds: Bounds): Bounds {
  const over = bounds.hasExplicitBounds ? 0 : bounds.extentBytes % bounds.alignmentBytes;
  if (over === 0) return bounds;
  const extentBytes = bounds.extentBytes + bounds.alignmentBytes - over;
  return { ...bounds, extentBytes: requireSafeInteger(extentBytes, "padded extent in bytes") };
}
