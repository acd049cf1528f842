import {
  contiguous,
  hindexed,
  hindexedBlock,
  hvector,
  predefined,
  resized,
  struct,
  type Datatype,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";

const BYTE = predefined("MPI_BYTE");

/** A datatype whose elements lie where a layout says: laws are of layouts, the library commits datatypes. */
export function layoutType({ startBytes, root, lowerBoundBytes, extentBytes }: Layout): Datatype {
  return resized(lowerBoundBytes, extentBytes, struct([1], [startBytes], [nodeType(root, new Map())]));
}

function nodeType(node: LayoutNode, known: Map<LayoutNode, Datatype>): Datatype {
  const made = known.get(node) ?? ofNode(node, (child) => nodeType(child, known));
  known.set(node, made);
  return made;
}

function ofNode(node: LayoutNode, typeOf: (child: LayoutNode) => Datatype): Datatype {
  switch (node.kind) {
    case "dense":
      return contiguous(node.lengthBytes, BYTE);
    case "stream":
      return hvector(node.count, 1, node.strideBytes, typeOf(node.child));
    case "blocks": {
      const child = typeOf(node.child);
      const { blocklengths, displacementsBytes } = node;
      if (blocklengths === 1) return hindexedBlock(1, displacementsBytes, child);
      return hindexed(blocklengths, displacementsBytes, resized(0, node.strideBytes, child));
    }
    case "sequence":
      return struct(
        node.members.map(() => 1),
        node.members.map(({ offsetBytes }) => offsetBytes),
        node.members.map((member) => typeOf(member.node)),
      );
  }
}
