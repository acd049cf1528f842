import { BoundsMemo } from "../bounds/bounds-memo.js";
import { requirePositional } from "./argument-form.js";
import { childDatatype, type ChildDatatype } from "./child-datatype.js";
import type { Struct } from "./datatype.js";
import { copyIntegers, requireSameLength, type IntegerList } from "./integer-list.js";
import { sealed } from "./sealed.js";
import { quoted } from "../checks/quoted.js";
import { DatatypeError } from "../errors.js";

/**
 * Members of several types: member i is `blocklengths[i]` copies of `children[i]`, the first at byte
 * `displacementsBytes[i]` (MPI_Type_create_struct; MPI 4.1, section 5.1.2). Where no bounds were set inside, the extent
 * is rounded up to the strictest alignment.
 * @throws DatatypeError where the lists differ in length, an entry is out of range, or a bound leaves the safe
 * integers.
 */
export function struct(
  blocklengths: IntegerList,
  displacementsBytes: IntegerList,
  children: readonly ChildDatatype[],
): Struct {
  requirePositional(blocklengths, "struct(blocklengths, displacementsBytes, children)");
  const lengths = copyIntegers(blocklengths, "blocklengths", "blocklength of struct", 0);
  const places = copyIntegers(displacementsBytes, "displacements", "displacement of struct in bytes");
  requireSameLength(lengths, places, "displacements", "length of displacements", "entries, one a blocklength");
  if (!Array.isArray(children)) {
    const got = quoted(children);
    throw new DatatypeError({ path: "children", subject: "children of struct", expected: "a list of datatypes", got });
  }
  requireSameLength(lengths, children, "children", "length of children", "datatypes, one a blocklength");
  return sealed({
    kind: "struct",
    blocklengths: lengths,
    displacementsBytes: places,
    children: Object.freeze(Array.from(children, (child: ChildDatatype, i) => childDatatype(child, `children[${i}]`))),
    memo: new BoundsMemo(),
  });
}
