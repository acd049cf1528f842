import fc from "fast-check";
import { blocks, dense, integerTable, layout, sequence, stream, uniformBlocks } from "../../src/index.js";
import type { Layout, LayoutNode } from "../../src/index.js";

const offset = fc.integer({ min: -64, max: 64 }).map((value) => value + 0);
const list = (values: readonly number[]) => integerTable(values.length, (i) => values[i] as number);

/** Random nodes that the passes have something to do on: small numbers make strides and lengths meet. */
export const anyNode: fc.Arbitrary<LayoutNode> = fc.letrec<{ node: LayoutNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.integer({ min: 0, max: 9 }).map(dense),
    fc
      .tuple(fc.integer({ min: 0, max: 4 }), offset, tie("node"))
      .map(([count, stride, child]) => stream(count, stride, child)),
    fc
      .tuple(fc.array(offset, { maxLength: 9 }), tie("node"))
      .map(([displacements, child]) => uniformBlocks(list(displacements), child)),
    fc
      .tuple(fc.array(fc.tuple(offset, fc.integer({ min: 0, max: 4 })), { maxLength: 9 }), offset, tie("node"))
      .map(([entries, stride, child]) =>
        blocks(list(entries.map(([at]) => at)), list(entries.map(([, length]) => length)), stride, child),
      ),
    fc
      .array(fc.record({ offsetBytes: offset, node: tie("node") }), { maxLength: 5 })
      .map((members) => sequence(members)),
  ),
})).node;

export const anyLayout: fc.Arbitrary<Layout> = fc
  .tuple(offset, anyNode, offset, fc.integer({ min: 0, max: 99 }))
  .map(([startBytes, root, lowerBoundBytes, extentBytes]) =>
    layout(startBytes, root, { lowerBoundBytes, extentBytes }),
  );
