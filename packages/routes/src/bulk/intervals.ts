import { forEachRun, repeat, type Blocks, type Layout, type LayoutNode, type PackedRange } from "@stowage/ir";

/** Bytes [low, high) from a datatype's address 0, gaps and all. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A gap that costs the bus less than another copy does: 0.33 us at 53 GB/s. */
const SHORT_GAP_BYTES = 2 ** 14;
/** Deeper layouts are walked run by run: this walk calls itself. */
const DEEPEST = 64;

/**
 * What must be copied so that a range's bytes are there: neighbours with short gaps between them as one, in order of
 * place.
 */
export function intervalsOf(layout: Layout, range: PackedRange): readonly Interval[] {
  const found = new Found();
  if (layout.root.depth > DEEPEST) forEachRun(layout, range, (offset, length) => found.add(offset, offset + length));
  else {
    const elements = Math.ceil((range.first + range.length) / layout.sizeBytes);
    cover(repeat(layout, elements), layout.startBytes, range.first, range.length, found);
  }
  return found.merged();
}

/** Intervals as they come; most are near the one before. */
class Found {
  readonly #all: { low: number; high: number }[] = [];

  add(low: number, high: number): void {
    const last = this.#all.at(-1);
    if (last === undefined || !isNear(last, low, high)) this.#all.push({ low, high });
    else {
      last.low = Math.min(last.low, low);
      last.high = Math.max(last.high, high);
    }
  }

  merged(): readonly Interval[] {
    const kept: { low: number; high: number }[] = [];
    for (const { low, high } of this.#all.sort((a, b) => a.low - b.low)) {
      const last = kept.at(-1);
      if (last !== undefined && isNear(last, low, high)) last.high = Math.max(last.high, high);
      else kept.push({ low, high });
    }
    return kept;
  }
}

export const isShortGap = (high: number, low: number): boolean => low <= high + SHORT_GAP_BYTES;

const isNear = (interval: Interval, low: number, high: number): boolean =>
  isShortGap(interval.high, low) && isShortGap(high, interval.low);

/**
 * Packed bytes [first, first + length) of a node whose zero lies at `base`; of regular parts with short gaps, the ends
 * alone.
 */
function cover(node: LayoutNode, base: number, first: number, length: number, found: Found): void {
  if (length <= 0 || node.sizeBytes === 0) return;
  if (first === 0 && length === node.sizeBytes && isTight(node))
    return found.add(base + node.lowBytes, base + node.highBytes);
  switch (node.kind) {
    case "dense":
      return found.add(base + first, base + first + length);
    case "stream":
      return coverCopies(node.child, node.strideBytes, base, first, length, found);
    case "blocks":
      return coverBlocks(node, base, first, length, found);
    case "sequence": {
      let at = 0;
      for (const { offsetBytes, node: member } of node.members) {
        const [from, to] = [Math.max(first, at), Math.min(first + length, at + member.sizeBytes)];
        cover(member, base + offsetBytes, from - at, to - from, found);
        at += member.sizeBytes;
      }
    }
  }
}

function coverCopies(
  child: LayoutNode,
  strideBytes: number,
  base: number,
  first: number,
  length: number,
  found: Found,
): void {
  const size = child.sizeBytes;
  const end = first + length;
  const [whole, past] = [Math.ceil(first / size), Math.floor(end / size)];
  if (whole > past) return cover(child, base + past * strideBytes, first - past * size, length, found);
  cover(child, base + (whole - 1) * strideBytes, first - (whole - 1) * size, whole * size - first, found);
  if (whole < past && isTight(child) && hasShortGaps(child, strideBytes)) {
    const [a, b] = [base + whole * strideBytes, base + (past - 1) * strideBytes];
    found.add(Math.min(a, b) + child.lowBytes, Math.max(a, b) + child.highBytes);
  } else for (let i = whole; i < past; i++) cover(child, base + i * strideBytes, 0, size, found);
  cover(child, base + past * strideBytes, 0, end - past * size, found);
}

function coverBlocks(
  { displacementsBytes, blocklengths, strideBytes, child }: Blocks,
  base: number,
  first: number,
  length: number,
  found: Found,
): void {
  const end = first + length;
  const start = blocklengths === 1 ? Math.floor(first / child.sizeBytes) : 0;
  let at = start * child.sizeBytes;
  for (let i = start; at < end && i < displacementsBytes.length; i++) {
    const size = (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.sizeBytes;
    const [from, to] = [Math.max(first, at), Math.min(end, at + size)];
    if (from < to) {
      const place = base + (displacementsBytes[i] as number);
      coverCopies(child, strideBytes, place, from - at, to - from, found);
    }
    at += size;
  }
}

/** Whether nothing between a node's ends is a long gap; known of nested streams alone. */
function isTight(node: LayoutNode): boolean {
  if (node.kind === "dense") return true;
  return node.kind === "stream" && isTight(node.child) && hasShortGaps(node.child, node.strideBytes);
}

const hasShortGaps = ({ lowBytes, highBytes }: LayoutNode, strideBytes: number): boolean =>
  Math.abs(strideBytes) - (highBytes - lowBytes) <= SHORT_GAP_BYTES;
