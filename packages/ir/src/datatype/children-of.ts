import type { Datatype } from "./datatype.js";
import { requireDatatype } from "./require-datatype.js";

const NONE: readonly Datatype[] = Object.freeze([]);

/**
 * The datatypes that a datatype was made of, in the order of its arguments: of a struct one a member, of a predefined
 * datatype none, of any other one.
 * @throws DatatypeError where `datatype` was made by no builder.
 */
export function childrenOf(datatype: Datatype): readonly Datatype[] {
  requireDatatype(datatype);
  switch (datatype.kind) {
    case "predefined":
      return NONE;
    case "struct":
      return datatype.children;
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "subarray":
    case "darray":
    case "resized":
    case "dup":
      return [datatype.child];
  }
}
