import type { LayoutNode } from "@stowage/ir";
import { LEAST_COPIED_BYTES } from "../lengths/rep-movsb.js";
import { isInlined } from "./inlined.js";

/** Loops around each other whose counters are registers; the next one's lies on the stack. */
const MOST_COUNTERS = 4;

/** Whether the code of a node leaves the loop counters alone: it neither calls nor walks a table. */
export function isPlain(node: LayoutNode, depth = 0): boolean {
  switch (node.kind) {
    case "dense":
      // Longer runs may need registers of their own.
      return depth < MOST_COUNTERS && node.lengthBytes < LEAST_COPIED_BYTES;
    case "stream":
      return isInlined(node, depth) && isPlain(node.child, depth + 1);
    case "blocks":
      return false;
    case "sequence":
      return isInlined(node, depth) && node.members.every((member) => isPlain(member.node, depth + 1));
  }
}
