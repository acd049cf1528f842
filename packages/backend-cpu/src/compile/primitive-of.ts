import { integerTable, type LayoutNode } from "@stowage/ir";
import type { Primitive } from "../language/primitive.js";

/**
 * Length of the run that each block of the node is made of, where its blocks are runs of bytes: such nodes become
 * FINAL primitives. A stream's block is one copy of its child; that of irregular blocks may be several side by side.
 */
export function inBlock(node: LayoutNode): number | undefined {
  if (node.kind !== "stream" && node.kind !== "blocks") return undefined;
  if (node.child.kind !== "dense") return undefined;
  const oneCopy = node.kind === "stream" || node.blocklengths === 1;
  return oneCopy || node.strideBytes === node.child.lengthBytes ? node.child.lengthBytes : undefined;
}

/**
 * The primitive that a layout node becomes. Layout nodes know no extent; where an extent only informs, it is the
 * span of the child's bytes (40 in the paper's Figure 6). A stride of -0 becomes 0, as the text has it.
 */
export function primitiveOf(node: LayoutNode): Primitive {
  switch (node.kind) {
    case "dense":
      return { kind: "CONTIGFINAL", lengthBytes: node.lengthBytes };
    case "stream": {
      const { count, strideBytes, child } = node;
      const kind = inBlock(node) === undefined ? "VECTOR1" : "VECTORFINAL";
      return { kind, count, blocklength: 1, strideBytes: strideBytes + 0, ...inner(child) };
    }
    case "blocks": {
      const { displacementsBytes, blocklengths, strideBytes, child } = node;
      const count = displacementsBytes.length;
      const final = inBlock(node) !== undefined;
      if (blocklengths !== 1) {
        const kind = final ? "INDEXFINAL" : "INDEX";
        const { sizeBytes } = child;
        return { kind, count, blocklengths, displacementsBytes, sizeBytes, extentBytes: strideBytes + 0 };
      }
      const kind = final ? "BLOCKINDEXFINAL" : "BLOCKINDEX1";
      return { kind, count, blocklength: 1, displacementsBytes, ...inner(child) };
    }
    case "sequence":
      return structOf(node);
  }
}

const inner = (child: LayoutNode) => ({ sizeBytes: child.sizeBytes, extentBytes: child.highBytes - child.lowBytes });

/** Its subprograms are known once they are written. */
function structOf(node: Extract<LayoutNode, { kind: "sequence" }>): Primitive {
  const members = node.members.filter((member) => member.node.sizeBytes > 0);
  const table = (of: (member: (typeof members)[number]) => number) =>
    integerTable(members.length, (i) => of(members[i] as (typeof members)[number]));
  return {
    kind: "STRUCT",
    count: members.length,
    blocklengths: table(() => 1),
    displacementsBytes: table(({ offsetBytes }) => offsetBytes),
    sizesBytes: table(({ node: { sizeBytes } }) => sizeBytes),
    extentsBytes: table(({ node: { highBytes, lowBytes } }) => highBytes - lowBytes),
    subprograms: new Int32Array(0),
  };
}
