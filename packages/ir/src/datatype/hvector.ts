import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount, requireInteger } from "./require-integer.js";
import { sealed } from "./sealed.js";

/** As vector, with the starts of blocks `strideBytes` apart. MPI_Type_create_hvector. */
export interface Hvector extends DatatypeNode {
  readonly kind: "hvector";
  readonly count: number;
  readonly blocklength: number;
  readonly strideBytes: number;
  readonly child: Datatype;
}

export function hvector(count: number, blocklength: number, strideBytes: number, child: Datatype): Hvector {
  return sealed({
    kind: "hvector",
    count: requireCount(count, "count", "count of hvector"),
    blocklength: requireCount(blocklength, "blocklength", "blocklength of hvector"),
    strideBytes: requireInteger(strideBytes, "stride", "stride of hvector in bytes"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
