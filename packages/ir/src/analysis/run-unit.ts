import { isRunGroup, type RunGroup } from "../byte-map/run-group.js";
import { childrenOfNode } from "../layout/children.js";
import { requireLayout, type Layout } from "../layout/layout.js";
import type { LayoutNode } from "../layout/node.js";
import { longestPieceBytes } from "./equal-pieces.js";
import { greatestCommonDivisor } from "./greatest-common-divisor.js";
import { isRuns } from "./is-runs.js";

/** A layout is immutable: what was found of it once holds, and goes with it. */
const known = new WeakMap<Layout, number>();

/**
 * The greatest number of bytes that divides every run of a layout: elements of so many bytes, or of a divisor of it,
 * are never cut by the end of a run. 0 where nothing moves. O(nodes + table entries) once a layout, then O(1).
 */
export function runUnitBytes(layout: Layout): number {
  const found = known.get(requireLayout(layout)) ?? unitBelow(layout.root);
  known.set(layout, found);
  return found;
}

function unitBelow(root: LayoutNode): number {
  const seen = new Set<LayoutNode>([root]);
  let unit = 0;
  // Sets are walked in the order of insertion, what is added meanwhile included.
  for (const node of seen) {
    if (node.sizeBytes === 0) continue;
    if (isRunGroup(node)) unit = greatestCommonDivisor(unit, unitOfGroup(node));
    else for (const child of childrenOfNode(node)) seen.add(child);
  }
  return unit;
}

function unitOfGroup(group: RunGroup): number {
  if (group.kind === "dense") return group.lengthBytes;
  return group.kind === "blocks" && isRuns(group) ? longestPieceBytes(group) : group.child.sizeBytes;
}
