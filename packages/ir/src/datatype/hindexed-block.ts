import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { Datatype, HindexedBlock } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of `blocklength` children each, at byte displacements (MPI_Type_create_hindexed_block). The list is copied.
 * @throws DatatypeError where an argument is out of range, or a bound leaves the safe integers.
 */
export function hindexedBlock(blocklength: number, displacementsBytes: IntegerList, child: Datatype): HindexedBlock {
  return sealed({
    kind: "hindexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of hindexed_block"),
    displacementsBytes: copyIntegers(displacementsBytes, "displacements", "displacement of hindexed_block in bytes"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
