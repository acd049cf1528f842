import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Indexed } from "./datatype.js";
import { copyIntegers, requireSameLength, type IntegerList } from "./integer-list.js";
import { sealed } from "./sealed.js";

/**
 * Blocks of differing length: block i holds `blocklengths[i]` children, the first `displacements[i]` child extents from
 * the datatype's address 0 (MPI_Type_indexed; MPI 4.1, section 5.1.2). Lists are copied.
 * @throws DatatypeError where the lists differ in length, an entry is out of range, or a bound leaves the safe
 * integers.
 */
export function indexed(blocklengths: IntegerList, displacements: IntegerList, child: ChildDatatype): Indexed {
  requirePositional(blocklengths, "indexed(blocklengths, displacements, child)");
  const lengths = copyIntegers(blocklengths, "blocklengths", "blocklength of indexed", 0);
  const places = copyIntegers(displacements, "displacements", "displacement of indexed");
  requireSameLength(lengths, places, "displacements", "length of displacements", "entries, one a blocklength");
  return sealed({
    kind: "indexed",
    blocklengths: lengths,
    displacements: places,
    child: childDatatype(child, "child"),
    memo: new BoundsMemo(),
  });
}
