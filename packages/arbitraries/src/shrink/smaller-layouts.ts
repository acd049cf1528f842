import {
  blocks,
  childrenOfNode,
  dense,
  distinctNodes,
  integerTable,
  layout,
  sequence,
  stream,
  type Blocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { fewer, kept, oneTowards, towards } from "./towards.js";

/** Layouts a step smaller, the smallest root first; then with bounds nearer to none. */
export function* smallerLayouts(from: Layout): Generator<Layout> {
  const { startBytes, root, lowerBoundBytes, extentBytes } = from;
  const bounds = { lowerBoundBytes, extentBytes };
  for (const node of smallerNodes(root)) yield layout(startBytes, node, bounds);
  for (const start of towards(0, startBytes)) yield layout(start, root, bounds);
  for (const lower of towards(0, lowerBoundBytes))
    yield layout(startBytes, root, { ...bounds, lowerBoundBytes: lower });
  for (const extent of towards(root.sizeBytes, extentBytes)) {
    yield layout(startBytes, root, { ...bounds, extentBytes: extent });
  }
}

function* smallerNodes(node: LayoutNode): Generator<LayoutNode> {
  yield* [...distinctNodes(node)].reverse().filter((part) => part !== node && part.kind !== "dense");
  for (const length of towards(1, node.sizeBytes)) yield dense(length);
  if (node.kind !== "dense" && node.sizeBytes > 0) yield dense(node.sizeBytes);
  yield* simplerNodes(node);
  for (const [i, child] of childrenOfNode(node).entries()) {
    for (const smaller of smallerNodes(child)) yield withChild(node, i, smaller);
  }
}

const tableOf = (values: readonly number[]) => integerTable(values.length, (i) => values[i] as number);

/** Each result is a node of this kind with these children, but fewer of them, or nearer to one another. */
function* simplerNodes(node: LayoutNode): Generator<LayoutNode> {
  switch (node.kind) {
    case "dense":
      return;
    case "stream":
      for (const count of towards(1, node.count)) yield stream(count, node.strideBytes, node.child);
      for (const strideBytes of towards(0, node.strideBytes)) yield stream(node.count, strideBytes, node.child);
      return;
    case "blocks":
      yield* simplerBlocks(node);
      return;
    case "sequence":
      for (const some of fewer(node.members.length)) yield sequence(kept(node.members, some));
      for (const places of oneTowards(
        0,
        node.members.map(({ offsetBytes }) => offsetBytes),
      )) {
        yield sequence(node.members.map((member, i) => ({ ...member, offsetBytes: places[i] as number })));
      }
  }
}

function* simplerBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Generator<LayoutNode> {
  const made = (places: readonly number[], lengths: readonly number[] | undefined): LayoutNode =>
    blocks(tableOf(places), lengths === undefined ? 1 : tableOf(lengths), strideBytes, child);
  const places = [...displacementsBytes];
  const lengths = blocklengths === 1 ? undefined : [...blocklengths];
  for (const some of fewer(places.length)) yield made(kept(places, some), lengths && kept(lengths, some));
  for (const shorter of oneTowards(1, lengths ?? [])) yield made(places, shorter);
  for (const nearer of oneTowards(0, places)) yield made(nearer, lengths);
}

function withChild(node: LayoutNode, i: number, child: LayoutNode): LayoutNode {
  switch (node.kind) {
    case "dense":
      return node;
    case "stream":
      return stream(node.count, node.strideBytes, child);
    case "blocks":
      return blocks(node.displacementsBytes, node.blocklengths, node.strideBytes, child);
    case "sequence":
      return sequence(node.members.with(i, { offsetBytes: node.members[i]?.offsetBytes ?? 0, node: child }));
  }
}
