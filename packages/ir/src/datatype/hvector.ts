import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Hvector } from "./datatype.js";
import { requireCount, requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * `count` blocks of `blocklength` children each; the starts of blocks are `strideBytes` apart, which may be negative
 * (MPI_Type_create_hvector; MPI 4.1, section 5.1.2).
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function hvector(count: number, blocklength: number, strideBytes: number, child: ChildDatatype): Hvector {
  requirePositional(count, "hvector(count, blocklength, strideBytes, child)");
  return sealed({
    kind: "hvector",
    count: requireCount(count, "count", "count of hvector"),
    blocklength: requireCount(blocklength, "blocklength", "blocklength of hvector"),
    strideBytes: requireInteger(strideBytes, "stride", "stride of hvector in bytes"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
