import type { Datatype } from "../datatype/datatype.js";
import { listReach, regularReach, uniformListReach, type Reach } from "./reach.js";

/** A datatype that is copies of its one child, displaced. */
export type Copies = Exclude<
  Datatype,
  { readonly kind: "predefined" | "struct" | "resized" | "dup" | "subarray" | "darray" }
>;

/** Where the copies of its child lie that a type is made of. O(list entries). */
export function copiesReach(type: Copies, extentBytes: number): Reach {
  switch (type.kind) {
    case "contiguous":
      return regularReach(1, 0, type.count, extentBytes);
    case "vector":
      return regularReach(type.count, type.stride * extentBytes, type.blocklength, extentBytes);
    case "hvector":
      return regularReach(type.count, type.strideBytes, type.blocklength, extentBytes);
    case "indexed":
      return listReach(type.displacements, extentBytes, type.blocklengths, extentBytes);
    case "hindexed":
      return listReach(type.displacementsBytes, 1, type.blocklengths, extentBytes);
    case "indexed_block":
      return uniformListReach(type.displacements, extentBytes, type.blocklength, extentBytes);
    case "hindexed_block":
      return uniformListReach(type.displacementsBytes, 1, type.blocklength, extentBytes);
  }
}
