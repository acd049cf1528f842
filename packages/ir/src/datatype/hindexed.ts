import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Hindexed } from "./datatype.js";
import { copyIntegers, requireSameLength, type IntegerList } from "./integer-list.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of differing length: block i holds `blocklengths[i]` children, the first at byte `displacementsBytes[i]`
 * (MPI_Type_create_hindexed; MPI 4.1, section 5.1.2). Lists are copied.
 * @throws DatatypeError where the lists differ in length, an entry is out of range, or a bound leaves the safe
 * integers.
 */
export function hindexed(blocklengths: IntegerList, displacementsBytes: IntegerList, child: ChildDatatype): Hindexed {
  requirePositional(blocklengths, "hindexed(blocklengths, displacementsBytes, child)");
  const lengths = copyIntegers(blocklengths, "blocklengths", "blocklength of hindexed", 0);
  const places = copyIntegers(displacementsBytes, "displacements", "displacement of hindexed in bytes");
  requireSameLength(lengths, places, "displacements", "length of displacements", "entries, one a blocklength");
  return sealed({
    kind: "hindexed",
    blocklengths: lengths,
    displacementsBytes: places,
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
