import { requireSafeInteger } from "../safe-integer.js";
import type { Bounds } from "./bounds.js";

/**
 * Bounds of two members one after the other. Explicit bounds are sticky: where either has them, only they count
 * (MPI 4.1, section 5.1.5).
 */
export function joined(first: Bounds, second: Bounds): Bounds {
  const [lower, upper] = hull(
    interval(first.lowerBoundBytes, first.extentBytes, first.hasExplicitBounds || !second.hasExplicitBounds),
    interval(second.lowerBoundBytes, second.extentBytes, second.hasExplicitBounds || !first.hasExplicitBounds),
  );
  const [trueLower, trueUpper] = hull(
    interval(first.trueLowerBoundBytes, first.trueExtentBytes, first.sizeBytes > 0),
    interval(second.trueLowerBoundBytes, second.trueExtentBytes, second.sizeBytes > 0),
  );
  return {
    sizeBytes: requireSafeInteger(first.sizeBytes + second.sizeBytes, "size in bytes"),
    lowerBoundBytes: lower,
    extentBytes: requireSafeInteger(upper - lower, "extent in bytes"),
    trueLowerBoundBytes: trueLower,
    trueExtentBytes: requireSafeInteger(trueUpper - trueLower, "true extent in bytes"),
    alignmentBytes: Math.max(first.alignmentBytes, second.alignmentBytes),
    hasExplicitBounds: first.hasExplicitBounds || second.hasExplicitBounds,
  };
}

type Interval = readonly [lower: number, upper: number];

/** The interval of a type map, or undefined where it does not count. */
function interval(lower: number, extent: number, counts: boolean): Interval | undefined {
  return counts ? [lower, lower + extent] : undefined;
}

function hull(first: Interval | undefined, second: Interval | undefined): Interval {
  if (first === undefined) return second ?? [0, 0];
  if (second === undefined) return first;
  return [Math.min(first[0], second[0]), Math.max(first[1], second[1])];
}
