import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { Contiguous, Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * `count` copies of the child, one child extent apart (MPI_Type_contiguous).
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function contiguous(count: number, child: Datatype): Contiguous {
  return sealed({
    kind: "contiguous",
    count: requireCount(count, "count", "count of contiguous"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
