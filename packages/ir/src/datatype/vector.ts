import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount, requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/** `count` blocks of `blocklength` children; starts of blocks are `stride` child extents apart. MPI_Type_vector. */
export interface Vector extends DatatypeNode {
  readonly kind: "vector";
  readonly count: number;
  readonly blocklength: number;
  readonly stride: number;
  readonly child: Datatype;
}

export function vector(count: number, blocklength: number, stride: number, child: Datatype): Vector {
  return sealed({
    kind: "vector",
    count: requireCount(count, "count", "count of vector"),
    blocklength: requireCount(blocklength, "blocklength", "blocklength of vector"),
    stride: requireInteger(stride, "stride", "stride of vector"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
