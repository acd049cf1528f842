import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { HindexedBlock } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of `blocklength` children each, the first child of block i at byte `displacementsBytes[i]`
 * (MPI_Type_create_hindexed_block; MPI 4.1, section 5.1.2). The list is copied.
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function hindexedBlock(
  blocklength: number,
  displacementsBytes: IntegerList,
  child: ChildDatatype,
): HindexedBlock {
  requirePositional(blocklength, "hindexedBlock(blocklength, displacementsBytes, child)");
  return sealed({
    kind: "hindexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of hindexed_block"),
    displacementsBytes: copyIntegers(displacementsBytes, "displacements", "displacement of hindexed_block in bytes"),
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
