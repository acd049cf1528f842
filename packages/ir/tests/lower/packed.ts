import type { Layout, LayoutNode } from "../../src/index.js";

/** The bytes that a layout's elements pack to, by a plain walk over every node; offsets count from `originBytes`. */
export function packed(buffer: Uint8Array, originBytes: number, element: Layout, count: number): Uint8Array {
  const stream = new Uint8Array(count * element.sizeBytes);
  let next = 0;
  const walk = (node: LayoutNode, offsetBytes: number): void => {
    switch (node.kind) {
      case "dense":
        stream.set(buffer.subarray(offsetBytes, offsetBytes + node.lengthBytes), next);
        next += node.lengthBytes;
        return;
      case "stream":
        for (let i = 0; i < node.count; i++) walk(node.child, offsetBytes + i * node.strideBytes);
        return;
      case "blocks":
        node.displacementsBytes.forEach((displacementBytes, i) => {
          const copies = node.blocklengths === 1 ? 1 : (node.blocklengths[i] ?? 0);
          for (let j = 0; j < copies; j++) walk(node.child, offsetBytes + displacementBytes + j * node.strideBytes);
        });
        return;
      case "sequence":
        for (const member of node.members) walk(member.node, offsetBytes + member.offsetBytes);
        return;
    }
  };
  for (let i = 0; i < count; i++) walk(element.root, originBytes + element.startBytes + i * element.extentBytes);
  return stream;
}
