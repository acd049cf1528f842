import type { Darray, Datatype, Resized, Subarray } from "../datatype/datatype.js";
import { NO_BOUNDS, type Bounds } from "./bounds.js";
import { darrayReach, subarrayReach } from "./box-reach.js";
import { replicated } from "./replicated.js";

/** A datatype whose bounds the user sets. */
export type Bounding = Resized | Subarray | Darray;

/**
 * The user's bounds over those of what is inside: as given, or the whole array's (MPI 4.1, sections 5.1.3 and 5.1.7).
 */
export function explicitBounds(type: Bounding, boundsOfChild: (child: Datatype) => Bounds): Bounds {
  const child = boundsOfChild(type.child);
  if (type.kind === "resized") {
    const { lowerBoundBytes, extentBytes } = type;
    return { ...child, lowerBoundBytes, extentBytes, hasExplicitBounds: true };
  }
  const { reach, arrayExtentBytes } =
    type.kind === "subarray" ? subarrayReach(type, child.extentBytes) : darrayReach(type, child.extentBytes);
  const data = reach.copies === 0 ? NO_BOUNDS : replicated(child, reach);
  return { ...data, lowerBoundBytes: 0, extentBytes: arrayExtentBytes, hasExplicitBounds: true };
}
