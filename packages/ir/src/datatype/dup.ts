import { BoundsMemo } from "../bounds/bounds-memo.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Dup } from "./datatype.js";
import { sealed } from "./sealed.js";

/**
 * The child itself under a new handle (MPI_Type_dup; MPI 4.1, section 5.1.10).
 * @throws DatatypeError where the child is no datatype.
 */
export function dup(child: ChildDatatype): Dup {
  return sealed({ kind: "dup", child: childDatatype(child, "child"), memo: new BoundsMemo() });
}
