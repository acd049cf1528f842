import { isDenseLayout, type Layout, type LayoutNode } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";

/** A layout, a count of elements and a packed range of them. */
export interface Bound {
  readonly layout: Layout;
  readonly count: number;
  readonly first: number;
  readonly length: number;
}

export const anyBound = (): fc.Arbitrary<Bound> =>
  fc
    .tuple(anyLayout(), fc.integer({ min: 0, max: 5 }))
    .chain(([layout, count]) =>
      fc
        .tuple(fc.nat({ max: count * layout.sizeBytes }), fc.nat({ max: count * layout.sizeBytes }))
        .map(([a, b]) => ({ layout, count, first: Math.min(a, b), length: Math.abs(a - b) })),
    );

/** The lowest byte and one past the highest that any element touches of which the range holds a byte. Plain walk. */
export function enumeratedReach({ layout, count, first, length }: Bound): readonly [number, number] {
  if (isDenseLayout(layout)) return [first, first + length];
  let [low, high] = [Infinity, -Infinity];
  for (let element = 0; element < count; element++) {
    const packed = element * layout.sizeBytes;
    if (packed >= first + length || packed + layout.sizeBytes <= first) continue;
    visitBytes(layout.root, layout.startBytes + element * layout.extentBytes, (from, end) => {
      low = Math.min(low, from);
      high = Math.max(high, end);
    });
  }
  return [low, high];
}

function visitBytes(node: LayoutNode, at: number, visit: (from: number, end: number) => void): void {
  switch (node.kind) {
    case "dense":
      if (node.lengthBytes > 0) visit(at, at + node.lengthBytes);
      break;
    case "stream":
      for (let i = 0; i < node.count; i++) visitBytes(node.child, at + i * node.strideBytes, visit);
      break;
    case "blocks":
      node.displacementsBytes.forEach((displacement, block) => {
        const copies = node.blocklengths === 1 ? 1 : (node.blocklengths[block] as number);
        for (let i = 0; i < copies; i++) visitBytes(node.child, at + displacement + i * node.strideBytes, visit);
      });
      break;
    case "sequence":
      for (const member of node.members) visitBytes(member.node, at + member.offsetBytes, visit);
      break;
  }
}
