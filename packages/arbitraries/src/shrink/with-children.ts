import {
  contiguous,
  darray,
  dup,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
} from "@stowage/ir";

/** The constructor of a datatype with the same arguments around other children. */
export function withChildren(type: Datatype, children: readonly Datatype[]): Datatype {
  const child = children[0] ?? type;
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
