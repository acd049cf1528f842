import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { IntegerTable } from "../integer-table.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { copyIntegers, requireSameLength, type IntegerList } from "./integer-list.js";
import { requireDatatype } from "./require-datatype.js";
import { sealed } from "./sealed.js";

/** Block i: blocklengths[i] children from displacements[i], counted in child extents. MPI_Type_indexed. */
export interface Indexed extends DatatypeNode {
  readonly kind: "indexed";
  readonly blocklengths: IntegerTable;
  readonly displacements: IntegerTable;
  readonly child: Datatype;
}

export function indexed(blocklengths: IntegerList, displacements: IntegerList, child: Datatype): Indexed {
  const lengths = copyIntegers(blocklengths, "blocklengths", "blocklength of indexed", 0);
  const places = copyIntegers(displacements, "displacements", "displacement of indexed");
  requireSameLength(lengths, places, "displacements", "length of displacements", "entries, one a blocklength");
  return sealed({
    kind: "indexed",
    blocklengths: lengths,
    displacements: places,
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
