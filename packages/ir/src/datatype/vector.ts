import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Vector } from "./datatype.js";
import { requireCount, requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * `count` blocks of `blocklength` children each; the starts of blocks are `stride` child extents apart, which may be
 * negative (MPI_Type_vector; MPI 4.1, section 5.1.2).
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function vector(count: number, blocklength: number, stride: number, child: ChildDatatype): Vector {
  requirePositional(count, "vector(count, blocklength, stride, child)");
  return sealed({
    kind: "vector",
    count: requireCount(count, "count", "count of vector"),
    blocklength: requireCount(blocklength, "blocklength", "blocklength of vector"),
    stride: requireInteger(stride, "stride", "stride of vector"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
