import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { IntegerTable } from "../integer-table.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/** Blocks of `blocklength` children each, at displacements counted in child extents. MPI_Type_create_indexed_block. */
export interface IndexedBlock extends DatatypeNode {
  readonly kind: "indexed_block";
  readonly blocklength: number;
  readonly displacements: IntegerTable;
  readonly child: Datatype;
}

export function indexedBlock(blocklength: number, displacements: IntegerList, child: Datatype): IndexedBlock {
  return sealed({
    kind: "indexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of indexed_block"),
    displacements: copyIntegers(displacements, "displacements", "displacement of indexed_block"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
