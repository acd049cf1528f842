import fc from "fast-check";
import { blocks, dense, integerTable, layout, sequence, stream, uniformBlocks } from "../../src/index.js";
import type { IntegerTable, Layout, LayoutNode } from "../../src/index.js";

// Small enough to enumerate, and wild: empty nodes, zero and negative strides, offsets that overlap or pass 2^32.

const offset = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -40, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }) },
);

const table = (values: readonly number[]): IntegerTable => integerTable(values.length, (i) => values[i] as number);

const anyDense = fc.integer({ min: 0, max: 9 }).map(dense);

const streamOf = (child: fc.Arbitrary<LayoutNode>): fc.Arbitrary<LayoutNode> =>
  fc.tuple(fc.integer({ min: 0, max: 4 }), offset, child).map((args) => stream(...args));

const uniformOf = (child: fc.Arbitrary<LayoutNode>): fc.Arbitrary<LayoutNode> =>
  fc.tuple(fc.array(offset, { maxLength: 5 }).map(table), child).map((args) => uniformBlocks(...args));

const varyingOf = (child: fc.Arbitrary<LayoutNode>): fc.Arbitrary<LayoutNode> =>
  fc
    .tuple(fc.array(fc.tuple(offset, fc.integer({ min: 0, max: 4 })), { maxLength: 5 }), fc.option(offset), child)
    .map(([entries, stride, node]) => {
      const displacements = table(entries.map(([displacement]) => displacement));
      const lengths = table(entries.map(([, length]) => length));
      return blocks(displacements, lengths, stride ?? (node.kind === "dense" ? node.lengthBytes : 5), node);
    });

const sequenceOf = (child: fc.Arbitrary<LayoutNode>): fc.Arbitrary<LayoutNode> =>
  fc.array(fc.record({ offsetBytes: offset, node: child }), { maxLength: 4 }).map((members) => sequence(members));

export function anyNode(depth = 3): fc.Arbitrary<LayoutNode> {
  if (depth === 0) return anyDense;
  const child = anyNode(depth - 1);
  return fc.oneof(anyDense, streamOf(child), uniformOf(child), varyingOf(child), sequenceOf(child));
}

export const anyLayout = (): fc.Arbitrary<Layout> =>
  fc
    .tuple(offset, anyNode(), offset, offset)
    .map(([start, root, lowerBoundBytes, extentBytes]) => layout(start, root, { lowerBoundBytes, extentBytes }));

/** A layout with a count, and the cuts of its packed stream. */
export const anyCutLayout = (): fc.Arbitrary<{ layout: Layout; count: number; cuts: number[] }> =>
  fc.tuple(anyLayout(), fc.integer({ min: 0, max: 3 })).chain(([made, count]) =>
    fc.record({
      layout: fc.constant(made),
      count: fc.constant(count),
      cuts: fc.array(fc.integer({ min: 0, max: count * made.sizeBytes }), { maxLength: 6 }),
    }),
  );
