import { BoundsMemo } from "../bounds/bounds-memo.js";
import type { IntegerTable } from "../integer-table.js";
import type { DatatypeNode } from "./datatype-node.js";
import type { Datatype } from "./datatype.js";
import { copyIntegers, type IntegerList } from "./integer-list.js";
import { requireDatatype } from "./require-datatype.js";
import { requireCount } from "./require-integer.js";
import { sealed } from "./sealed.js";

/** Blocks of `blocklength` children each, at byte displacements. MPI_Type_create_hindexed_block. */
export interface HindexedBlock extends DatatypeNode {
  readonly kind: "hindexed_block";
  readonly blocklength: number;
  readonly displacementsBytes: IntegerTable;
  readonly child: Datatype;
}

export function hindexedBlock(blocklength: number, displacementsBytes: IntegerList, child: Datatype): HindexedBlock {
  return sealed({
    kind: "hindexed_block",
    blocklength: requireCount(blocklength, "blocklength", "blocklength of hindexed_block"),
    displacementsBytes: copyIntegers(displacementsBytes, "displacements", "displacement of hindexed_block in bytes"),
    child: requireDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
