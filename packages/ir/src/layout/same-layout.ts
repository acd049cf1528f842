import type { IntegerTable } from "../integer-table.js";
import { requireLayout, type Layout } from "./layout.js";
import { nodeHash } from "./node-hash.js";
import type { LayoutNode } from "./node.js";

/**
 * Whether two layouts are the same description of the same bytes, bounds included. Exact. Canonicalise both to compare
 * what they describe. Throws an ArgumentError where one is no layout.
 */
export function sameLayout(a: Layout, b: Layout): boolean {
  requireLayout(a);
  requireLayout(b);
  return (
    a.startBytes === b.startBytes &&
    a.lowerBoundBytes === b.lowerBoundBytes &&
    a.extentBytes === b.extentBytes &&
    sameNode(a.root, b.root)
  );
}

/**
 * Whether two nodes are equal. Hashes tell most that differ; equality itself is exact. Pairs that were compared are
 * remembered, so shared nodes cost once and depth is no limit.
 */
export function sameNode(a: LayoutNode, b: LayoutNode): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.sizeBytes !== b.sizeBytes || a.depth !== b.depth) return false;
  if (a.kind === "dense") return true;
  const hashA = nodeHash(a);
  const hashB = nodeHash(b);
  return hashA.high === hashB.high && hashA.low === hashB.low && sameNodesBelow(a, b);
}

function sameNodesBelow(a: LayoutNode, b: LayoutNode): boolean {
  const compared = new Map<LayoutNode, Set<LayoutNode>>();
  const pairs: [LayoutNode, LayoutNode][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right || compared.get(left)?.has(right) === true) continue;
    compared.set(left, (compared.get(left) ?? new Set()).add(right));
    if (!sameHead(left, right, pairs)) return false;
  }
  return true;
}

/** Compares what two nodes hold themselves, and leaves their children to be compared. */
function sameHead(a: LayoutNode, b: LayoutNode, pairs: [LayoutNode, LayoutNode][]): boolean {
  if (a.kind === "dense") return b.kind === "dense" && a.lengthBytes === b.lengthBytes;
  if (a.kind === "stream") {
    if (b.kind !== "stream" || a.count !== b.count || a.strideBytes !== b.strideBytes) return false;
    pairs.push([a.child, b.child]);
    return true;
  }
  if (a.kind === "blocks") {
    if (b.kind !== "blocks" || a.strideBytes !== b.strideBytes) return false;
    pairs.push([a.child, b.child]);
    return sameTable(a.displacementsBytes, b.displacementsBytes) && sameLengths(a.blocklengths, b.blocklengths);
  }
  if (b.kind !== "sequence" || a.members.length !== b.members.length) return false;
  return a.members.every(({ offsetBytes, node }, i) => {
    const other = b.members[i];
    if (other === undefined || other.offsetBytes !== offsetBytes) return false;
    pairs.push([node, other.node]);
    return true;
  });
}

const sameLengths = (a: 1 | IntegerTable, b: 1 | IntegerTable): boolean =>
  a === 1 || b === 1 ? a === b : sameTable(a, b);

function sameTable(a: IntegerTable, b: IntegerTable): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
