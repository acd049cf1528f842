import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/** The child with bounds set by the user; they are explicit, hence sticky. MPI_Type_create_resized. */
export interface Resized extends DatatypeNode {
  readonly kind: "resized";
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
  readonly child: Datatype;
}

export function resized(lowerBoundBytes: number, extentBytes: number, child: Datatype): Resized {
  return sealed({
    kind: "resized",
    lowerBoundBytes: requireInteger(lowerBoundBytes, "lb", "lower bound of resized in bytes"),
    extentBytes: requireInteger(extentBytes, "extent", "extent of resized in bytes"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
