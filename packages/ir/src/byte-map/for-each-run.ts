import type { Layout } from "../layout/layout.js";
import { GroupWalk } from "./group-walk.js";
import type { PackedRange } from "./packed-range.js";
import { visitGroup, type VisitRun } from "./visit-group.js";
import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";

/**
 * Visits the dense runs of the packed range [first, first + length) of `count` elements, in packed order, the first
 * and the last one clipped to the range. Offsets are in bytes from the address 0 of element zero; element i stands
 * i × extentBytes further. The start is found in O(depth + log n), and no run is allocated.
 *
 * Throws an ArgumentError for a range outside the packed stream, a DatatypeError where an offset leaves the safe
 * integers.
 */
export function forEachRun(layout: Layout, range: PackedRange, visit: VisitRun): void {
  if (typeof visit !== "function") throw new ArgumentError("visitor of runs", "a function", quoted(visit));
  const walk = new GroupWalk(layout, range);
  while (walk.next()) visitGroup(walk, visit);
}
