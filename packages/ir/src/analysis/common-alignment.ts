import type { IntegerTable } from "../integer-table.js";
import { childrenOfNode } from "../layout/children.js";
import { requireLayout, type Layout } from "../layout/layout.js";
import type { Blocks, LayoutNode } from "../layout/node.js";
import { isRuns } from "./is-runs.js";
import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";
import { requireNode } from "../layout/require-node.js";
import { requireSafeInteger } from "../safe-integer.js";

/**
 * The greatest power of two, `mostBytes` at most, that divides all of some safe integers; `mostBytes` where there are
 * none. Throws an ArgumentError unless `mostBytes` is a power of two below 2^31 and `values` a list, a DatatypeError
 * for a value that is no safe integer.
 */
export function commonAlignment(values: Iterable<number>, mostBytes: number): number {
  requirePower(mostBytes);
  if (typeof values?.[Symbol.iterator] !== "function")
    throw new ArgumentError("values to align", "a list", quoted(values));
  let bits = mostBytes;
  for (const value of values) bits |= lowBits(requireSafeInteger(value, "value to align"), mostBytes);
  return bits & -bits;
}

/**
 * The greatest power of two, `mostBytes` at most, that divides the length of every run of a node, its distance from the
 * node's zero and its place in the packed stream: the widest access by which one element can be moved where both sides
 * are aligned to it. The rules of Prabhu and Gropp (DAME, section 4) for all nodes at once. O(nodes + table entries).
 */
export function nodeAlignment(root: LayoutNode, mostBytes: number): number {
  requirePower(mostBytes);
  const seen = new Set<LayoutNode>([requireNode(root)]);
  let bits = mostBytes;
  for (const node of seen) {
    if (node.sizeBytes === 0) continue;
    bits |= ownBits(node, mostBytes);
    // The whole lengths of runs count, not those of their elements.
    if (node.kind !== "blocks" || !isRuns(node)) for (const child of childrenOfNode(node)) seen.add(child);
  }
  return bits & -bits;
}

/**
 * The greatest power of two, `mostBytes` at most, that divides the length of every run of any number of elements of a
 * layout, its distance from the datatype's address 0 and its place in the packed stream: as `nodeAlignment`, for
 * arrays. Throws an ArgumentError unless `mostBytes` is a power of two below 2^31.
 */
export function layoutAlignment(layout: Layout, mostBytes: number): number {
  const { root, startBytes, extentBytes } = requireLayout(layout);
  return Math.min(nodeAlignment(root, mostBytes), commonAlignment([startBytes, extentBytes], mostBytes));
}

function requirePower(mostBytes: number): void {
  if (Number.isSafeInteger(mostBytes) && mostBytes > 0 && mostBytes < 2 ** 31 && (mostBytes & -mostBytes) === mostBytes)
    return;
  throw new ArgumentError("greatest alignment", "a power of two below 2^31", quoted(mostBytes));
}

/** Or keeps the lowest bit that is set in any number, and only that bit decides what divides them all. */
function ownBits(node: LayoutNode, mostBytes: number): number {
  switch (node.kind) {
    case "dense":
      return lowBits(node.lengthBytes, mostBytes);
    case "stream":
      return lowBits(node.strideBytes, mostBytes);
    case "blocks":
      return blocksBits(node, mostBytes);
    case "sequence":
      return node.members.reduce((bits, { offsetBytes }) => bits | lowBits(offsetBytes, mostBytes), 0);
  }
}

function blocksBits(node: Blocks, mostBytes: number): number {
  const { displacementsBytes, blocklengths, strideBytes, child } = node;
  const placeBits = tableBits(displacementsBytes, 1, mostBytes);
  if (!isRuns(node)) return placeBits | lowBits(strideBytes, mostBytes);
  const unitBits = lowBits(child.sizeBytes, mostBytes);
  return placeBits | (blocklengths === 1 ? unitBits : tableBits(blocklengths, unitBits, mostBytes));
}

function tableBits(table: IntegerTable, unit: number, mostBytes: number): number {
  let bits = 0;
  for (let i = 0; i < table.length; i++) bits |= lowBits((table[i] as number) * unit, mostBytes);
  return bits;
}

/** A safe integer modulo a power of two, from 0 up; no bitwise operator ever sees the integer itself. */
const lowBits = (value: number, modulus: number): number => ((value % modulus) + modulus) % modulus;
