import { requireSafeInteger } from "../safe-integer.js";
import type { Bounds } from "./bounds.js";
import type { Reach } from "./reach.js";

/**
 * Bounds of copies of one child. The least of (displacement + a bound) over all copies is taken at the lowest copy
 * and the greatest at the highest, because a bound moves with its copy (MPI 4.1, section 5.1.5).
 */
export function replicated(child: Bounds, reach: Reach): Bounds {
  const spanBytes = requireSafeInteger(reach.highestBytes - reach.lowestBytes, "reach of displacements in bytes");
  const sizeBytes = requireSafeInteger(reach.copies * child.sizeBytes, "size in bytes");
  requireSafeInteger(reach.lowestBytes, "lowest displacement in bytes");
  requireSafeInteger(reach.highestBytes, "highest displacement in bytes");
  return {
    sizeBytes,
    lowerBoundBytes: requireSafeInteger(reach.lowestBytes + child.lowerBoundBytes, "lower bound in bytes"),
    extentBytes: requireSafeInteger(spanBytes + child.extentBytes, "extent in bytes"),
    trueLowerBoundBytes:
      sizeBytes === 0
        ? 0
        : requireSafeInteger(reach.lowestBytes + child.trueLowerBoundBytes, "true lower bound in bytes"),
    trueExtentBytes:
      sizeBytes === 0 ? 0 : requireSafeInteger(spanBytes + child.trueExtentBytes, "true extent in bytes"),
    alignmentBytes: child.alignmentBytes,
    hasExplicitBounds: child.hasExplicitBounds,
  };
}
