import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { sealed } from "./sealed.js";

/** The child itself under a new handle. MPI_Type_dup. */
export interface Dup extends DatatypeNode {
  readonly kind: "dup";
  readonly child: Datatype;
}

export function dup(child: Datatype): Dup {
  return sealed({ kind: "dup", child: requireDatatype(child, "child"), memo: new BoundsMemo() });
}
