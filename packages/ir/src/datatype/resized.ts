import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Resized } from "./datatype.js";
import { requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * The child with bounds that the user sets, both in bytes; the extent may be negative (MPI_Type_create_resized;
 * MPI 4.1, section 5.1.7).
 * @throws DatatypeError where an argument is no safe integer.
 */
export function resized(lowerBoundBytes: number, extentBytes: number, child: ChildDatatype): Resized {
  requirePositional(lowerBoundBytes, "resized(lowerBoundBytes, extentBytes, child)");
  return sealed({
    kind: "resized",
    lowerBoundBytes: requireInteger(lowerBoundBytes, "lb", "lower bound of resized in bytes"),
    extentBytes: requireInteger(extentBytes, "extent", "extent of resized in bytes"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
