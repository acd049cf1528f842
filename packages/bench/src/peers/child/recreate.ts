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
  visitPostOrder,
  type Datatype,
} from "@stowage/ir";

/** The same datatype made anew, by the calls that an application would make; shared children stay shared. */
export function recreate(datatype: Datatype): Datatype {
  const made = new Map<Datatype, Datatype>();
  const copyOf = (child: Datatype): Datatype => made.get(child) as Datatype;
  visitPostOrder(
    datatype,
    (node) => made.has(node),
    (node) => made.set(node, recreated(node, copyOf)),
  );
  return copyOf(datatype);
}

function recreated(type: Datatype, copyOf: (child: Datatype) => Datatype): Datatype {
  switch (type.kind) {
    case "predefined":
      return type;
    case "contiguous":
      return contiguous(type.count, copyOf(type.child));
    case "vector":
      return vector(type.count, type.blocklength, type.stride, copyOf(type.child));
    case "hvector":
      return hvector(type.count, type.blocklength, type.strideBytes, copyOf(type.child));
    case "indexed":
      return indexed(type.blocklengths, type.displacements, copyOf(type.child));
    case "hindexed":
      return hindexed(type.blocklengths, type.displacementsBytes, copyOf(type.child));
    case "indexed_block":
      return indexedBlock(type.blocklength, type.displacements, copyOf(type.child));
    case "hindexed_block":
      return hindexedBlock(type.blocklength, type.displacementsBytes, copyOf(type.child));
    case "struct":
      return struct(type.blocklengths, type.displacementsBytes, type.children.map(copyOf));
    case "subarray":
      return subarray({ ...type, child: copyOf(type.child) });
    case "darray":
      return darray({ ...type, child: copyOf(type.child) });
    case "resized":
      return resized(type.lowerBoundBytes, type.extentBytes, copyOf(type.child));
    case "dup":
      return dup(copyOf(type.child));
  }
}
