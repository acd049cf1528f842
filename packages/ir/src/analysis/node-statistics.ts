import type { LayoutNode } from "../layout/node.js";
import { distinctNodes } from "./distinct-nodes.js";

/** How much there is to write down of a node: what programs, records and the time to commit grow with. */
export interface NodeStatistics {
  /** The number of distinct nodes. */
  readonly nodes: number;
  /** The number of members of all sequences. */
  readonly members: number;
  /** The number of entries of all displacement tables. */
  readonly tableEntries: number;
  /** The number of those entries that have a blocklength of their own. */
  readonly lengthEntries: number;
}

/**
 * Counts the nodes, members and table entries of a node and of all below it; a node that several share counts once. It
 * takes O(nodes + members).
 */
export function nodeStatistics(root: LayoutNode): NodeStatistics {
  const nodes = distinctNodes(root);
  let [members, tableEntries, lengthEntries] = [0, 0, 0];
  for (const node of nodes) {
    if (node.kind === "sequence") members += node.members.length;
    if (node.kind !== "blocks") continue;
    tableEntries += node.displacementsBytes.length;
    if (node.blocklengths !== 1) lengthEntries += node.blocklengths.length;
  }
  return { nodes: nodes.size, members, tableEntries, lengthEntries };
}
