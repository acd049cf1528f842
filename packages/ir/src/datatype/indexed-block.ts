import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { IndexedBlock } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of `blocklength` children each, block i `displacements[i]` child extents from the datatype's address 0
 * (MPI_Type_create_indexed_block; MPI 4.1, section 5.1.2). The list is copied.
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function indexedBlock(blocklength: number, displacements: IntegerList, child: ChildDatatype): IndexedBlock {
  requirePositional(blocklength, "indexedBlock(blocklength, displacements, child)");
  return sealed({
    kind: "indexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of indexed_block"),
    displacements: copyIntegers(displacements, "displacements", "displacement of indexed_block"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
