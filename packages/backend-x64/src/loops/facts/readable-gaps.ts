import { isRuns, type Blocks, type LayoutNode } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";

/**
 * A gap of fewer bytes than a line holds no full line: each line that a load across it touches holds a byte on either
 * side of it, so that the load touches no page but theirs. Longer gaps may hold unmapped pages.
 */
const LONGEST_GAP_BYTES = LINE_BYTES - 1;

/** Blocks of a table whose gaps are looked at; those of longer tables are taken to be long. */
const MOST_BLOCKS = 64;

/** Nodes whose gaps between blocks are all short, looked at once each. */
export class ReadableGaps {
  readonly #known = new WeakMap<LayoutNode, boolean>();

  /** Whether every gap between blocks of a node may be read. Streams are judged as if they had children to follow. */
  in(node: LayoutNode): boolean {
    const found = this.#known.get(node) ?? isConnected(node, this);
    this.#known.set(node, found);
    return found;
  }
}

function isConnected(node: LayoutNode, gaps: ReadableGaps): boolean {
  switch (node.kind) {
    case "dense":
      return true;
    case "stream": {
      const { child, strideBytes } = node;
      return isNear(Math.abs(strideBytes), child.highBytes - child.lowBytes) && gaps.in(child);
    }
    case "blocks":
      return node.displacementsBytes.length <= MOST_BLOCKS && isConnectedTable(node, gaps);
    case "sequence": {
      const members = node.members.filter((member) => member.node.sizeBytes > 0);
      return (
        areNear(members.map((member) => spanAt(member.offsetBytes, member.node))) &&
        members.every((member) => gaps.in(member.node))
      );
    }
  }
}

const isNear = (apartBytes: number, lengthBytes: number): boolean => apartBytes - lengthBytes <= LONGEST_GAP_BYTES;

function isConnectedTable(node: Blocks, gaps: ReadableGaps): boolean {
  const { displacementsBytes, blocklengths, child } = node;
  if (blocklengths !== 1 && !isRuns(node)) return false;
  const spans = Array.from(displacementsBytes, (displacement, i) => {
    const { low, high } = spanAt(displacement, child);
    return { low, high: blocklengths === 1 ? high : low + (blocklengths[i] as number) * child.sizeBytes };
  });
  return areNear(spans.filter(({ low, high }) => high > low)) && gaps.in(child);
}

/** From the first byte of some blocks to the end of their last. */
interface Span {
  readonly low: number;
  readonly high: number;
}

const spanAt = (offset: number, { lowBytes, highBytes }: LayoutNode): Span => ({
  low: offset + lowBytes,
  high: offset + highBytes,
});

/** Whether spans have no long gap between them, in whatever order they come. */
function areNear(spans: readonly Span[]): boolean {
  let end = Infinity;
  for (const { low, high } of spans.toSorted((a, b) => a.low - b.low)) {
    if (!isNear(low, end)) return false;
    end = end === Infinity ? high : Math.max(end, high);
  }
  return true;
}
