import { scatteredLayout, type Move } from "@stowage/backend-api";
import type { LayoutNode } from "@stowage/ir";
import { LINE_BYTES } from "../loops/facts/cache.js";

/**
 * Packed bytes, at most `mostBytes`, at whose multiples a stream is best cut: whole elements, else whole children of
 * the outermost node that has short enough ones; so many of them that neither side has a cache line cut in two where
 * their addresses are aligned. Any other place is as right (law 3), and 1 where nothing is short enough.
 */
export function grainOf(move: Move, mostBytes: number): number {
  const { root, extentBytes, sizeBytes } = scatteredLayout(move);
  for (const { size, strideBytes } of levelsOf(root, { size: sizeBytes, strideBytes: extentBytes })) {
    // k × stride, and k × size, are multiples of a line.
    const lines = size * Math.max(copiesFor(strideBytes), copiesFor(size));
    if (lines <= mostBytes) return lines;
    if (size <= mostBytes) return size;
  }
  return mostBytes >= LINE_BYTES ? LINE_BYTES : 1;
}

interface Level {
  readonly size: number;
  readonly strideBytes: number;
}

/** Elements, then the children of each node in which all are of one size. */
function levelsOf(root: LayoutNode, elements: Level): readonly Level[] {
  const levels = [elements];
  for (let node = root; ;) {
    if (node.kind !== "stream" && !(node.kind === "blocks" && node.blocklengths === 1)) return levels;
    levels.push({ size: node.child.sizeBytes, strideBytes: node.kind === "stream" ? node.strideBytes : LINE_BYTES });
    node = node.child;
  }
}

/** The least number of copies of so many bytes that fill whole lines: a power of two. */
function copiesFor(bytes: number): number {
  let copies = 1;
  while ((bytes * copies) % LINE_BYTES !== 0) copies *= 2;
  return copies;
}
