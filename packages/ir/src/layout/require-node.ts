import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";
import type { LayoutNode } from "./node.js";

/** Throws an ArgumentError where plain JavaScript handed over something that no builder of nodes made. */
export function requireNode(value: LayoutNode, subject = "layout node"): LayoutNode {
  if (isNode(value)) return value;
  throw new ArgumentError(subject, "a layout node", quoted(value));
}

/** By what every node of its kind has; what its builder checked is believed. */
export const isNode = (value: LayoutNode | null | undefined): boolean =>
  typeof value === "object" && value !== null && Number.isSafeInteger(value.depth) && hasParts(value);

function hasParts(node: LayoutNode): boolean {
  switch (node.kind) {
    case "dense":
      return Number.isSafeInteger(node.lengthBytes);
    case "stream":
    case "blocks":
      return typeof node.child === "object";
    case "sequence":
      return Array.isArray(node.members);
    default:
      return false;
  }
}
