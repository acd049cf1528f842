import type { Conditions, Move } from "@stowage/backend-api";
import { scatteredLayout, directionOf } from "@stowage/backend-api";
import type { Layout, LayoutNode } from "@stowage/ir";

const MOST_BYTES = 64;

/**
 * The greatest power of two, 64 at most, that divides every place where a run of the layout starts and every run's
 * length, its elements' extent included: the rules of Prabhu and Gropp, DAME, section 4, for all nodes at once.
 */
export function alignmentOf({ root, startBytes, extentBytes }: Layout): number {
  // Of a sum of integers only the lowest set bit matters: in two's complement, or keeps it.
  let bits = MOST_BYTES | lowBits(startBytes) | lowBits(extentBytes);
  const seen = new Set<LayoutNode>([root]);
  for (const node of seen) {
    switch (node.kind) {
      case "dense":
        bits |= lowBits(node.lengthBytes);
        break;
      case "stream":
        bits |= lowBits(node.strideBytes);
        seen.add(node.child);
        break;
      case "blocks":
        bits |= lowBits(node.strideBytes);
        for (const displacement of node.displacementsBytes) bits |= lowBits(displacement);
        seen.add(node.child);
        break;
      case "sequence":
        for (const member of node.members) {
          bits |= lowBits(member.offsetBytes);
          seen.add(member.node);
        }
    }
  }
  return bits & -bits;
}

/** An offset modulo 64, which is all that alignment asks of it. */
const lowBits = (offset: number): number => ((offset % MOST_BYTES) + MOST_BYTES) % MOST_BYTES;

/** Bytes that divide the address of every run's start and length, on both sides, as the conditions promise it. */
export function promisedAlignment(move: Move, { sourceAlignment, targetAlignment }: Conditions): number {
  const [scattered, packed] =
    directionOf(move) === "unpack" ? [targetAlignment, sourceAlignment] : [sourceAlignment, targetAlignment];
  return Math.min(alignmentOf(scatteredLayout(move)), scattered, packed);
}
