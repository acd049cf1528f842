import type { Layout, LayoutNode } from "../../src/index.js";

/** The reference: the offset of every packed byte, in packed order, by a plain recursive walk. */
export function byteOffsets(layout: Layout, count: number): number[] {
  const offsets: number[] = [];
  for (let i = 0; i < count; i++) walk(layout.root, layout.startBytes + i * layout.extentBytes, offsets);
  return offsets;
}

function walk(node: LayoutNode, at: number, offsets: number[]): void {
  switch (node.kind) {
    case "dense":
      for (let i = 0; i < node.lengthBytes; i++) offsets.push(at + i);
      break;
    case "stream":
      for (let i = 0; i < node.count; i++) walk(node.child, at + i * node.strideBytes, offsets);
      break;
    case "blocks":
      node.displacementsBytes.forEach((displacement, block) => {
        const copies = node.blocklengths === 1 ? 1 : (node.blocklengths[block] as number);
        for (let i = 0; i < copies; i++) walk(node.child, at + displacement + i * node.strideBytes, offsets);
      });
      break;
    case "sequence":
      for (const member of node.members) walk(member.node, at + member.offsetBytes, offsets);
      break;
  }
}
