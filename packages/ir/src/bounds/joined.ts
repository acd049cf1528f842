import { requireSafeInteger } from "../safe-integer.js";
import { isNothing, type Bounds } from "./bounds.js";

/**
 * Bounds of two type maps one after the other. Explicit bounds are sticky: where either has them, only they count
 * (MPI 4.1, section 5.1.5).
 */
export function joined(first: Bounds, second: Bounds): Bounds {
  if (isNothing(first)) return second;
  if (isNothing(second)) return first;
  const data = joinedData(first, second);
  const alignmentBytes = Math.max(first.alignmentBytes, second.alignmentBytes);
  const hasExplicitBounds = first.hasExplicitBounds || second.hasExplicitBounds;
  if (first.hasExplicitBounds === second.hasExplicitBounds) {
    const lowerBoundBytes = Math.min(first.lowerBoundBytes, second.lowerBoundBytes);
    const extentBytes = Math.max(upperBound(first), upperBound(second)) - lowerBoundBytes;
    requireSafeInteger(extentBytes, "extent in bytes");
    return { ...data, lowerBoundBytes, extentBytes, alignmentBytes, hasExplicitBounds };
  }
  const { lowerBoundBytes, extentBytes } = first.hasExplicitBounds ? first : second;
  return { ...data, lowerBoundBytes, extentBytes, alignmentBytes, hasExplicitBounds };
}

const upperBound = (bounds: Bounds): number => bounds.lowerBoundBytes + bounds.extentBytes;

function joinedData(
  first: Bounds,
  second: Bounds,
): Pick<Bounds, "sizeBytes" | "trueLowerBoundBytes" | "trueExtentBytes"> {
  if (first.sizeBytes === 0) return second;
  if (second.sizeBytes === 0) return first;
  const trueLowerBoundBytes = Math.min(first.trueLowerBoundBytes, second.trueLowerBoundBytes);
  const trueUpperBytes = Math.max(
    first.trueLowerBoundBytes + first.trueExtentBytes,
    second.trueLowerBoundBytes + second.trueExtentBytes,
  );
  return {
    sizeBytes: requireSafeInteger(first.sizeBytes + second.sizeBytes, "size in bytes"),
    trueLowerBoundBytes,
    trueExtentBytes: requireSafeInteger(trueUpperBytes - trueLowerBoundBytes, "true extent in bytes"),
  };
}
