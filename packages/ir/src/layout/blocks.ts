import { requireTable, type IntegerTable } from "../integer-table.js";
import { requireSafeInteger } from "../safe-integer.js";
import { EMPTY_FACTS, type LayoutFacts } from "./facts.js";
import type { Blocks, LayoutNode } from "./node.js";
import { DatatypeError } from "../errors.js";
import { requireNode } from "./require-node.js";

/** Blocks that each hold one child. */
export function uniformBlocks(displacementsBytes: IntegerTable, child: LayoutNode): Blocks {
  return blocks(displacementsBytes, 1, 0, child);
}

/**
 * Block i: `blocklengths[i]` copies of the child, `strideBytes` apart, the first at `displacementsBytes[i]`.
 * @throws DatatypeError where the reach of the blocks leaves the safe integers.
 */
export function blocks(
  displacementsBytes: IntegerTable,
  blocklengths: 1 | IntegerTable,
  strideBytes: number,
  child: LayoutNode,
): Blocks {
  requireTable(displacementsBytes, "displacements of blocks");
  if (blocklengths !== 1) {
    requireTable(blocklengths, "blocklengths of blocks");
    requireSameLength(displacementsBytes, blocklengths);
  }
  requireSafeInteger(strideBytes, "stride of blocks in bytes");
  requireNode(child, "child of blocks");
  const facts = blockFacts(displacementsBytes, blocklengths, strideBytes, child);
  return Object.freeze({ kind: "blocks", displacementsBytes, blocklengths, strideBytes, child, ...facts });
}

function requireSameLength(displacements: IntegerTable, blocklengths: IntegerTable): void {
  if (displacements.length === blocklengths.length) return;
  const expected = `${displacements.length}, one a displacement`;
  throw new DatatypeError({ subject: "number of blocklengths", expected, got: String(blocklengths.length) });
}

function blockFacts(
  displacementsBytes: IntegerTable,
  blocklengths: 1 | IntegerTable,
  strideBytes: number,
  child: LayoutNode,
): LayoutFacts {
  if (child.sizeBytes === 0) return { ...EMPTY_FACTS, depth: child.depth + 1 };
  if (blocklengths === 1) return uniformFacts(displacementsBytes, child);
  const isRuns = child.kind === "dense" && strideBytes === child.lengthBytes;
  let copies = 0;
  let blockCount = 0;
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const length = blocklengths[i] as number;
    if (length === 0) continue;
    copies += length;
    blockCount += isRuns ? 1 : length * child.blockCount;
    const first = displacementsBytes[i] as number;
    const last = first + (length - 1) * strideBytes;
    if (first < lowBytes) lowBytes = first;
    if (last < lowBytes) lowBytes = last;
    if (first > highBytes) highBytes = first;
    if (last > highBytes) highBytes = last;
  }
  return factsOfReach(copies, blockCount, lowBytes, highBytes, child);
}

function uniformFacts(displacementsBytes: IntegerTable, child: LayoutNode): LayoutFacts {
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const start = displacementsBytes[i] as number;
    if (start < lowBytes) lowBytes = start;
    if (start > highBytes) highBytes = start;
  }
  const count = displacementsBytes.length;
  return factsOfReach(count, count * child.blockCount, lowBytes, highBytes, child);
}

/** `lowBytes` and `highBytes` are the least and the greatest start of a copy of the child. */
function factsOfReach(
  copies: number,
  blockCount: number,
  lowBytes: number,
  highBytes: number,
  child: LayoutNode,
): LayoutFacts {
  const depth = child.depth + 1;
  if (copies === 0) return { ...EMPTY_FACTS, depth };
  return {
    sizeBytes: requireSafeInteger(copies * child.sizeBytes, "size of blocks in bytes"),
    lowBytes: requireSafeInteger(lowBytes + child.lowBytes, "lowest byte of blocks"),
    highBytes: requireSafeInteger(highBytes + child.highBytes, "highest byte of blocks"),
    blockCount,
    depth,
  };
}
