import type { Move } from "@stowage/backend-api";
import { dense, isDenseLayout, layout, type Layout } from "@stowage/ir";

/** A member of a move's outermost sequence, as a move of its own. */
export interface Part {
  /** Where it begins in the element's packed stream. */
  readonly packedBytes: number;
  readonly source: Layout;
  readonly target: Layout;
}

const MOST_PARTS = 64;

/**
 * One element of a struct of arrays, cut into its members: each moves in the widest words that it allows, and none
 * of its threads walks another way than its neighbour. Empty where both sides are scattered, or where members have
 * fewer than `leastMeanBytes`: those share blocks of threads better than they have some of their own.
 */
export function partsOf({ source, target }: Move, leastMeanBytes: number): readonly Part[] {
  const packs = isDenseLayout(target);
  const scattered = packs ? source : target;
  const { root, startBytes, sizeBytes } = scattered;
  if (root.kind !== "sequence" || (!packs && !isDenseLayout(source))) return [];
  const { members } = root;
  if (members.length > MOST_PARTS || sizeBytes / members.length < leastMeanBytes) return [];
  let packedBytes = 0;
  return members.flatMap(({ offsetBytes, node }) => {
    if (node.sizeBytes === 0) return [];
    const bounds = { lowerBoundBytes: 0, extentBytes: node.sizeBytes };
    const there = layout(startBytes + offsetBytes, node, bounds);
    const packed = layout(packedBytes, dense(node.sizeBytes), bounds);
    const part = { packedBytes, source: packs ? there : packed, target: packs ? packed : there };
    packedBytes += node.sizeBytes;
    return [part];
  });
}
