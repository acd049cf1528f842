import { requireTable, type IntegerTable } from "../integer-table.js";
import { requireSafeInteger } from "../safe-integer.js";
import { EMPTY_FACTS, type LayoutFacts } from "./facts.js";
import type { Blocks, Dense, LayoutNode } from "./node.js";
import { DatatypeError } from "../errors.js";
import { requireNode } from "./require-node.js";

/** Blocks that each hold one child, the i-th `displacementsBytes[i]` from the node's zero. Throws as `blocks` does. */
export function uniformBlocks(displacementsBytes: IntegerTable, child: LayoutNode): Blocks {
  return blocks(displacementsBytes, 1, 0, child);
}

/**
 * Blocks of copies of one child: block i holds `blocklengths[i]` of them, `strideBytes` apart, the first at
 * `displacementsBytes[i]` from the node's zero. `blocklengths` of 1: each block holds one. The tables are kept, not
 * copied.
 * @throws DatatypeError where the tables differ in length, or the reach of the blocks leaves the safe integers;
 * ArgumentError where an argument is no table or no node.
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

/** What blocks know of themselves. */
type BlockFacts = LayoutFacts & Pick<Blocks, "touchingBlocks">;

const NO_BLOCKS: BlockFacts = Object.freeze({ ...EMPTY_FACTS, touchingBlocks: 0 });

// One pass over the tables, which may hold 10^6 entries: everything that later passes would look for is found in it.

function blockFacts(
  displacementsBytes: IntegerTable,
  blocklengths: 1 | IntegerTable,
  strideBytes: number,
  child: LayoutNode,
): BlockFacts {
  if (child.sizeBytes === 0 || displacementsBytes.length === 0) return { ...NO_BLOCKS, depth: child.depth + 1 };
  if (blocklengths === 1) return uniformFacts(displacementsBytes, child);
  const isRuns = child.kind === "dense" && strideBytes === child.lengthBytes;
  return (
    (isRuns ? runFacts(displacementsBytes, blocklengths, child) : undefined) ??
    copyFacts(displacementsBytes, blocklengths, strideBytes, child, isRuns)
  );
}

/** Facts of blocks of any kind, empty ones too. */
function copyFacts(
  displacementsBytes: IntegerTable,
  blocklengths: IntegerTable,
  strideBytes: number,
  child: LayoutNode,
  isRuns: boolean,
): BlockFacts {
  let copies = 0;
  let blockCount = 0;
  let touching = 0;
  let end = NaN;
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const length = blocklengths[i] as number;
    const first = displacementsBytes[i] as number;
    touching += Number(isRuns && first === end);
    end = first + length * strideBytes;
    if (length === 0) continue;
    copies += length;
    blockCount += isRuns ? 1 : length * child.blockCount;
    const last = first + (length - 1) * strideBytes;
    if (first < lowBytes) lowBytes = first;
    if (last < lowBytes) lowBytes = last;
    if (first > highBytes) highBytes = first;
    if (last > highBytes) highBytes = last;
  }
  return { ...factsOfReach(copies, blockCount, lowBytes, highBytes, child), touchingBlocks: touching };
}

/** Facts of runs, none of which is empty; undefined where one is. All numbers are small where the tables' are. */
function runFacts(displacementsBytes: IntegerTable, blocklengths: IntegerTable, child: Dense): BlockFacts | undefined {
  const unitBytes = child.lengthBytes;
  let lowBytes = displacementsBytes[0] as number;
  let end = lowBytes + (blocklengths[0] as number) * unitBytes;
  let highEnd = end;
  let copies = blocklengths[0] as number;
  let touching = 0;
  if (copies === 0) return undefined;
  for (let i = 1; i < displacementsBytes.length; i++) {
    const length = blocklengths[i] as number;
    const first = displacementsBytes[i] as number;
    if (length === 0) return undefined;
    touching += Number(first === end);
    end = first + length * unitBytes;
    copies += length;
    if (first < lowBytes) lowBytes = first;
    if (end > highEnd) highEnd = end;
  }
  const facts = factsOfReach(copies, displacementsBytes.length, lowBytes, highEnd - unitBytes, child);
  return { ...facts, touchingBlocks: touching };
}

function uniformFacts(displacementsBytes: IntegerTable, child: LayoutNode): BlockFacts {
  const lengthBytes = child.kind === "dense" ? child.lengthBytes : NaN;
  const count = displacementsBytes.length;
  let previous = displacementsBytes[0] as number;
  let lowBytes = previous;
  let highBytes = previous;
  let touching = 0;
  for (let i = 1; i < count; i++) {
    const start = displacementsBytes[i] as number;
    touching += Number(start - previous === lengthBytes);
    previous = start;
    if (start < lowBytes) lowBytes = start;
    if (start > highBytes) highBytes = start;
  }
  return {
    ...factsOfReach(count, count * child.blockCount, lowBytes, highBytes, child),
    touchingBlocks: touching,
  };
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
