import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Contiguous } from "./datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * `count` copies of the child, one child extent apart (MPI_Type_contiguous; MPI 4.1, section 5.1.2).
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function contiguous(count: number, child: ChildDatatype): Contiguous {
  requirePositional(count, "contiguous(count, child)");
  return sealed({
    kind: "contiguous",
    count: requireCount(count, "count", "count of contiguous"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
