import type { LayoutNode } from "@stowage/ir";
import { at, type Emitter, type Limits, type Offsets } from "./emitter.js";

/**
 * Limits of a child of `node` that ends `highBytes` past `offsets`: the node's, or its own end where the node has long
 * gaps.
 */
export const limitsInside = (
  { context }: Emitter,
  node: LayoutNode,
  offsets: Offsets,
  highBytes: number,
  limits: Limits,
): Limits => (context.readableGaps.in(node) ? limits : at(Math.min(limits.s, offsets.s + highBytes), limits.p));
