import { isRunGroup, type RunGroup } from "../byte-map/run-group.js";
import type { IntegerTable } from "../integer-table.js";
import { childrenOfNode } from "../layout/children.js";
import type { LayoutNode } from "../layout/node.js";
import { distinctNodes } from "./distinct-nodes.js";
import { requireNode } from "../layout/require-node.js";

/** Lengths of a node's contiguous blocks, and how far apart they start. */
export interface BlockStatistics {
  /** Contiguous blocks, each as often as a walk meets it. */
  readonly blockCount: number;
  /** The mean length of a block; 0 where there is none. */
  readonly meanBytes: number;
  /** The length of the shortest block; 0 where there is none. */
  readonly shortestBytes: number;
  /** The length of the longest block; 0 where there is none. */
  readonly longestBytes: number;
  /**
   * The least and the greatest distance from the start of a block to that of the next, in either direction, among
   * blocks of one stream or one table; 0 where none holds two.
   */
  readonly leastStrideBytes: number;
  readonly mostStrideBytes: number;
}

interface Range {
  least: number;
  most: number;
}

/** Measures the blocks of a node. O(nodes + members + table entries). Throws an ArgumentError where it is no node. */
export function blockStatistics(root: LayoutNode): BlockStatistics {
  requireNode(root);
  const lengths: Range = { least: Infinity, most: 0 };
  const strides: Range = { least: Infinity, most: 0 };
  for (const group of groupsOf(root)) {
    addLengths(group, lengths);
    addStrides(group, strides);
  }
  return {
    blockCount: root.blockCount,
    meanBytes: root.blockCount === 0 ? 0 : root.sizeBytes / root.blockCount,
    shortestBytes: lengths.most === 0 ? 0 : lengths.least,
    longestBytes: lengths.most,
    leastStrideBytes: strides.least === Infinity ? 0 : strides.least,
    mostStrideBytes: strides.most,
  };
}

/** The nodes whose blocks follow from their own fields; the dense child of one is no group of its own there. */
function groupsOf(root: LayoutNode): ReadonlySet<RunGroup> {
  const groups = new Set<RunGroup>();
  if (root.sizeBytes > 0 && isRunGroup(root)) groups.add(root);
  for (const node of distinctNodes(root)) {
    if (node.sizeBytes === 0 || isRunGroup(node)) continue;
    for (const child of childrenOfNode(node)) if (child.sizeBytes > 0 && isRunGroup(child)) groups.add(child);
  }
  return groups;
}

function addLengths(group: RunGroup, lengths: Range): void {
  if (group.kind !== "blocks" || group.blocklengths === 1) {
    return add(group.kind === "dense" ? group.lengthBytes : group.child.lengthBytes, lengths);
  }
  for (const copies of group.blocklengths) if (copies > 0) add(copies * group.child.lengthBytes, lengths);
}

function addStrides(group: RunGroup, strides: Range): void {
  if (group.kind === "stream" && group.count > 1) add(Math.abs(group.strideBytes), strides);
  if (group.kind === "blocks") addDistances(group.displacementsBytes, strides);
}

function addDistances(table: IntegerTable, strides: Range): void {
  for (let i = 1; i < table.length; i++) add(Math.abs((table[i] as number) - (table[i - 1] as number)), strides);
}

function add(value: number, range: Range): void {
  if (value < range.least) range.least = value;
  if (value > range.most) range.most = value;
}
