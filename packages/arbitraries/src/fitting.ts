import { boundsOf, resized, type Datatype } from "@stowage/ir";
import type { Limits } from "./options.js";

/** The datatype, or where it is larger than the limits allow, the smaller one that it was made of. */
export function fitting(datatype: Datatype, smaller: Datatype, limits: Limits): Datatype {
  const bounds = boundsOf(datatype);
  const fits =
    bounds.sizeBytes <= limits.maxSizeBytes &&
    bounds.trueExtentBytes <= limits.maxReachBytes &&
    Math.abs(bounds.extentBytes) <= limits.maxReachBytes &&
    Math.abs(bounds.trueLowerBoundBytes) <= limits.maxReachBytes;
  return fits ? spaced(datatype, limits) : smaller;
}

/** Copies at the datatype's extent stay apart where |extent| >= true extent; a disjoint one is resized to that. */
export function spaced(datatype: Datatype, { disjoint }: Pick<Limits, "disjoint">): Datatype {
  const { extentBytes, trueExtentBytes, lowerBoundBytes } = boundsOf(datatype);
  if (!disjoint || Math.abs(extentBytes) >= trueExtentBytes) return datatype;
  return resized(lowerBoundBytes, trueExtentBytes, datatype);
}
