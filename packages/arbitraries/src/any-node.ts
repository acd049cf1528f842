import { blocks, dense, integerTable, sequence, stream, uniformBlocks, type LayoutNode } from "@stowage/ir";
import * as fc from "fast-check";
import type { Limits } from "./options.js";
import { apart, placements, type Placement, type Span } from "./placement.js";

const leaf: fc.Arbitrary<LayoutNode> = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 17 }).map(dense) },
  { weight: 1, arbitrary: fc.constant(dense(0)) },
);

/** Nodes as no lowering makes them: streams of one, of none and of stride 0, blocks that are empty or touch. */
export function nodeTo(depth: number, limits: Limits): fc.Arbitrary<LayoutNode> {
  let level = leaf;
  for (let i = 0; i < depth; i++) level = oneLevel(level, limits);
  return level;
}

function oneLevel(child: fc.Arbitrary<LayoutNode>, limits: Limits): fc.Arbitrary<LayoutNode> {
  return fc.oneof(
    { weight: 1, arbitrary: child },
    { weight: 3, arbitrary: anyStream(child, limits) },
    { weight: 2, arbitrary: anyBlocks(child, limits) },
    { weight: 2, arbitrary: anySequence(child, limits) },
  );
}

function fitting(node: LayoutNode, smaller: LayoutNode, { maxSizeBytes, maxReachBytes }: Limits): LayoutNode {
  const reachBytes = Math.max(Math.abs(node.lowBytes), Math.abs(node.highBytes));
  return node.sizeBytes <= maxSizeBytes && reachBytes <= maxReachBytes ? node : smaller;
}

function anyStream(child: fc.Arbitrary<LayoutNode>, limits: Limits): fc.Arbitrary<LayoutNode> {
  return fc
    .tuple(child, fc.nat({ max: 4 }), fc.nat({ max: 40 }), fc.constantFrom(1, -1))
    .map(([node, count, gapBytes, way]) => {
      const strideBytes = way * (limits.disjoint ? lengthOf(spanOf(node)) + gapBytes : gapBytes);
      return fitting(stream(count, strideBytes, node), node, limits);
    });
}

function anyBlocks(child: fc.Arbitrary<LayoutNode>, limits: Limits): fc.Arbitrary<LayoutNode> {
  return fc.tuple(child, placements(5), fc.boolean(), fc.nat({ max: 20 })).map(([node, plan, isUniform, gapBytes]) => {
    const strideBytes = lengthOf(spanOf(node)) + gapBytes;
    const copies = ({ blocklength }: Placement): number => (isUniform ? 1 : blocklength);
    const spanOfBlock = (block: Placement): Span => spanOfStream(node, copies(block), strideBytes);
    const displacements = integerTable(plan.length, tableOf(places(plan, spanOfBlock, limits)));
    const lengths = integerTable(plan.length, tableOf(plan.map(copies)));
    const made = isUniform ? uniformBlocks(displacements, node) : blocks(displacements, lengths, strideBytes, node);
    return fitting(made, node, limits);
  });
}

function anySequence(child: fc.Arbitrary<LayoutNode>, limits: Limits): fc.Arbitrary<LayoutNode> {
  return fc.tuple(placements(4), fc.array(child, { minLength: 4, maxLength: 4 })).map(([plan, pool]) => {
    const offsets = places(plan, (_, i) => spanOf(pool[i] as LayoutNode), limits);
    const members = offsets.map((offsetBytes, i) => ({ offsetBytes, node: pool[i] as LayoutNode }));
    return fitting(sequence(members), pool[0] as LayoutNode, limits);
  });
}

function places(
  plan: readonly Placement[],
  spanOfBlock: (block: Placement, index: number) => Span,
  { disjoint }: Limits,
): number[] {
  return disjoint ? apart(plan, spanOfBlock) : plan.map(({ place, gap }) => 4 * place + gap);
}

const tableOf =
  (values: readonly number[]) =>
  (index: number): number =>
    values[index] as number;
const spanOf = (node: LayoutNode): Span => ({ low: node.lowBytes, high: node.highBytes });
const lengthOf = ({ low, high }: Span): number => high - low;

function spanOfStream(node: LayoutNode, count: number, strideBytes: number): Span {
  if (count === 0) return { low: 0, high: 0 };
  return { low: node.lowBytes, high: node.highBytes + (count - 1) * strideBytes };
}
