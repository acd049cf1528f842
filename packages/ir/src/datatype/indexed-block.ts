import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { Datatype, IndexedBlock } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of `blocklength` children each, at displacements counted in child extents (MPI_Type_create_indexed_block). The
 * list is copied.
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function indexedBlock(blocklength: number, displacements: IntegerList, child: Datatype): IndexedBlock {
  return sealed({
    kind: "indexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of indexed_block"),
    displacements: copyIntegers(displacements, "displacements", "displacement of indexed_block"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
