import { contiguous } from "./contiguous.js";
import { darray } from "./darray.js";
import type { Datatype } from "./datatype.js";
import { dup } from "./dup.js";
import { hindexedBlock } from "./hindexed-block.js";
import { hindexed } from "./hindexed.js";
import { hvector } from "./hvector.js";
import { indexedBlock } from "./indexed-block.js";
import { indexed } from "./indexed.js";
import { resized } from "./resized.js";
import { struct } from "./struct.js";
import { subarray } from "./subarray.js";
import { requireArray } from "../checks/require-argument.js";
import { requireDatatype } from "./require-datatype.js";
import { vector } from "./vector.js";

/**
 * The constructor of a datatype with the same arguments around other children: as many as childrenOf gives, none of a
 * predefined one. Throws a DatatypeError where they do not fit, as the constructor does.
 */
export function withChildren(type: Datatype, children: readonly Datatype[]): Datatype {
  requireDatatype(type);
  const child = requireArray(children, "children", "a list of datatypes")[0] ?? type;
  switch (type.kind) {
    case "predefined":
      return type;
    case "contiguous":
      return contiguous(type.count, child);
    case "vector":
      return vector(type.count, type.blocklength, type.stride, child);
    case "hvector":
      return hvector(type.count, type.blocklength, type.strideBytes, child);
    case "indexed":
      return indexed(type.blocklengths, type.displacements, child);
    case "hindexed":
      return hindexed(type.blocklengths, type.displacementsBytes, child);
    case "indexed_block":
      return indexedBlock(type.blocklength, type.displacements, child);
    case "hindexed_block":
      return hindexedBlock(type.blocklength, type.displacementsBytes, child);
    case "struct":
      return struct(type.blocklengths, type.displacementsBytes, children);
    case "subarray":
      return subarray({ ...type, child });
    case "darray":
      return darray({ ...type, child });
    case "resized":
      return resized(type.lowerBoundBytes, type.extentBytes, child);
    case "dup":
      return dup(child);
  }
}
