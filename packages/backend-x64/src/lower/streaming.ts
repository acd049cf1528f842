import type { LayoutNode } from "@stowage/ir";
import type { Emitter } from "./emitter.js";
import { columnsOf } from "./transpose.js";

/**
 * The width of stores past the cache: the greatest of 8, 16 and 32 bytes that divides every run, so that each store
 * is aligned where the first one is. undefined: unpacking, tables, transposes, or runs that are short or odd.
 */
export function streamingWidthOf(e: Emitter, root: LayoutNode): 8 | 16 | 32 | undefined {
  if (e.direction === "unpack") return undefined;
  let bits = 32 | Math.min(e.isa.widest, 32);
  for (const node of nodesOf(root)) {
    if (node.kind === "blocks") return undefined;
    if (node.kind === "stream" && columnsOf(e, node.child, node.strideBytes) !== undefined) return undefined;
    if (node.kind !== "dense" || node.lengthBytes === 0) continue;
    bits |= node.lengthBytes % 32;
  }
  const width = bits & -bits;
  // By single words they lose unless words are put together first.
  if (width === 8 && !streamsAssembled(root)) return undefined;
  return width === 8 || width === 16 || width === 32 ? width : undefined;
}

/**
 * Whether all streams of short blocks fill whole stores of 32 bytes, so that every store that assembles blocks is
 * aligned where the first one is. The elements' own count does not matter: what follows them is nothing.
 */
export function streamsAssembled(elements: LayoutNode): boolean {
  const nodes = [...nodesOf(elements)];
  const isWhole = (node: LayoutNode): boolean => node.sizeBytes % 32 === 0;
  const leaves = nodes.filter((node) => node.kind === "stream" && node.child.kind === "dense" && node !== elements);
  const others = nodes.filter((node) => node.kind === "sequence" || node.kind === "blocks");
  return others.length === 0 && leaves.every(isWhole);
}

/** Every distinct node from a root down. */
function nodesOf(root: LayoutNode): ReadonlySet<LayoutNode> {
  const seen = new Set<LayoutNode>([root]);
  for (const node of seen) {
    if (node.kind === "stream" || node.kind === "blocks") seen.add(node.child);
    if (node.kind === "sequence") for (const member of node.members) seen.add(member.node);
  }
  return seen;
}
