import { blocks } from "./blocks.js";
import { dense } from "./dense.js";
import type { LayoutNode } from "./node.js";
import { sequence } from "./sequence.js";
import { stream } from "./stream.js";

/** The node that its builder makes of the same parts: where it differs, the node was made by other means. */
export function rebuilt(node: LayoutNode): LayoutNode {
  switch (node.kind) {
    case "dense":
      return dense(node.lengthBytes);
    case "stream":
      return stream(node.count, node.strideBytes, node.child);
    case "blocks":
      return blocks(node.displacementsBytes, node.blocklengths, node.strideBytes, node.child);
    case "sequence":
      return sequence(node.members);
  }
}
