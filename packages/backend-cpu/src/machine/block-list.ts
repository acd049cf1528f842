import { integerTable } from "@stowage/ir";
import { BY_COPIES, childOf, level, offsetOf, prefixSums, startOf, type Level } from "./level.js";

/** Whether a leaf's blocks stand side by side, and so are one run. */
const isOneRun = ({ displacementsBytes, strideBytes, stepBytes }: Level): boolean =>
  displacementsBytes === undefined && strideBytes === stepBytes;

/** Blocks of a leaf that holds `copies`. */
export function blocksIn(leaf: Level, copies: number): number {
  if (isOneRun(leaf)) return 1;
  return leaf.count === BY_COPIES ? copies : leaf.count;
}

/**
 * A leaf that lists, in packed order, every block of a loop's first `count` iterations. Undefined where there are more
 * than `most`, or where something inside is no leaf.
 */
export function blockList(loop: Level, count: number, most: number): Level | undefined {
  const displacements: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < count; i++) {
    const inner = childOf(loop, i);
    const copies = loop.blocklengths === undefined ? loop.blocklength : (loop.blocklengths[i] as number);
    if (!inner.leaf || displacements.length + blocksIn(inner, copies) > most) return undefined;
    appendBlocks(inner, copies, offsetOf(loop, i), displacements, lengths);
  }
  const stepBytes = lengths[0] ?? 0;
  const equal = lengths.every((length) => length === stepBytes);
  return level({
    primitive: loop.primitive,
    count: displacements.length,
    stepBytes,
    displacementsBytes: integerTable(displacements.length, (i) => displacements[i] as number),
    starts: equal ? undefined : prefixSums(lengths.length, (i) => lengths[i] as number),
  });
}

function appendBlocks(
  leaf: Level,
  copies: number,
  baseBytes: number,
  displacements: number[],
  lengths: number[],
): void {
  const count = leaf.count === BY_COPIES ? copies : leaf.count;
  const blocks = blocksIn(leaf, copies);
  for (let k = 0; k < blocks; k++) {
    const end = isOneRun(leaf) ? count : k + 1;
    const lengthBytes = startOf(leaf, end) - startOf(leaf, k);
    if (lengthBytes === 0) continue;
    displacements.push(baseBytes + offsetOf(leaf, k));
    lengths.push(lengthBytes);
  }
}
