import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { Datatype, Dup } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { sealed } from "./sealed.js";

/** The child itself under a new handle (MPI_Type_dup). */
export function dup(child: Datatype): Dup {
  return sealed({ kind: "dup", child: requireDatatype(child, "child"), memo: new BoundsMemo() });
}
