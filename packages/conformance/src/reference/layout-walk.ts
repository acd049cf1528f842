import type { Layout, LayoutNode } from "@stowage/ir";
import type { ByteMap, Entry } from "./byte-map.js";

interface Placed {
  readonly node: LayoutNode;
  readonly baseBytes: number;
}

/** The byte map of a layout, node by node as their definitions say, sharing nothing with the walks of the IR. */
export function byteMapOfLayout(layout: Layout): ByteMap {
  const entries: Entry[] = [];
  const open: Placed[] = [{ node: layout.root, baseBytes: layout.startBytes }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (top.node.kind === "dense") entries.push({ offsetBytes: top.baseBytes, lengthBytes: top.node.lengthBytes });
    else open.push(...partsOf(top).reverse());
  }
  return { entries, sizeBytes: layout.sizeBytes, extentBytes: layout.extentBytes };
}

function partsOf({ node, baseBytes }: Placed): Placed[] {
  switch (node.kind) {
    case "dense":
      return [];
    case "stream":
      return copies(node.child, node.count, baseBytes, node.strideBytes);
    case "sequence":
      return node.members.map((member) => ({ node: member.node, baseBytes: baseBytes + member.offsetBytes }));
    case "blocks":
      return [...node.displacementsBytes].flatMap((displacementBytes, i) => {
        const length = node.blocklengths === 1 ? 1 : (node.blocklengths[i] as number);
        return copies(node.child, length, baseBytes + displacementBytes, node.strideBytes);
      });
  }
}

function copies(node: LayoutNode, count: number, startBytes: number, strideBytes: number): Placed[] {
  return Array.from({ length: count }, (_, i) => ({ node, baseBytes: startBytes + i * strideBytes }));
}
