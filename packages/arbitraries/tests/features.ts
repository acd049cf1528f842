import { boundsOf, childrenOf, type Datatype, type Layout, type LayoutNode } from "@stowage/ir";

/** What the laws' generators must reach: each is found in a datatype by its name. */
export const FEATURES: Readonly<Record<string, (type: Datatype) => boolean>> = {
  "a single block away from address 0": (type) =>
    (type.kind === "hindexed" && type.displacementsBytes.length === 1 && type.displacementsBytes[0] !== 0) ||
    (type.kind === "subarray" && type.subsizes.some((subsize, i) => subsize === 1 && (type.starts[i] ?? 0) > 0)),
  "a negative stride": (type) =>
    (type.kind === "vector" && type.stride < 0 && type.count > 1) ||
    (type.kind === "hvector" && type.strideBytes < 0 && type.count > 1),
  "a negative extent": (type) => boundsOf(type).extentBytes < 0,
  "a negative lower bound": (type) => boundsOf(type).lowerBoundBytes < 0,
  "overlapping indices": (type) => {
    if (type.kind !== "indexed") return false;
    const taken = [...type.displacements].flatMap((start, i) =>
      Array.from({ length: type.blocklengths[i] ?? 0 }, (_, k) => start + k),
    );
    return new Set(taken).size < taken.length;
  },
  "unsorted indices": (type) =>
    type.kind === "indexed" && type.displacements.some((start, i) => start < (type.displacements[i - 1] ?? -Infinity)),
  "an empty block among others": (type) =>
    (type.kind === "indexed" || type.kind === "hindexed") &&
    type.blocklengths.includes(0) &&
    sum(type.blocklengths) > 0,
  "a struct's member of blocklength 0": (type) =>
    type.kind === "struct" && type.blocklengths.some((length, i) => length === 0 && sizeOf(type.children[i]) > 0),
  "a pair type": (type) => type.kind === "predefined" && boundsOf(type).sizeBytes < boundsOf(type).extentBytes,
  "a nested struct": (type) => type.kind === "struct" && type.children.some((child) => child.kind === "struct"),
  "an odd size": (type) => boundsOf(type).sizeBytes % 2 === 1 && boundsOf(type).sizeBytes > 1,
  "no bytes at all": (type) => boundsOf(type).sizeBytes === 0,
  "a count of 0": (type) => "count" in type && type.count === 0,
  ...Object.fromEntries(
    [1, 2, 4, 8, 16].map((bytes) => [
      `an alignment of ${bytes}`,
      (type: Datatype) => boundsOf(type).alignmentBytes === bytes,
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        "predefined",
        "contiguous",
        "vector",
        "hvector",
        "indexed",
        "hindexed",
        "indexed_block",
        "hindexed_block",
      ] as const
    ).map((kind) => [kind, ofKind(kind)]),
  ),
  ...Object.fromEntries(
    (["struct", "subarray", "darray", "resized", "dup"] as const).map((kind) => [kind, ofKind(kind)]),
  ),
};

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const sizeOf = (type: Datatype | undefined): number => (type === undefined ? 0 : boundsOf(type).sizeBytes);

function ofKind(kind: Datatype["kind"]): (type: Datatype) => boolean {
  return (type) => type.kind === kind;
}

/** A datatype and all that it is made of. */
export function* partsOf(type: Datatype): Generator<Datatype> {
  const stack = [type];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    yield top;
    stack.push(...childrenOf(top));
  }
}

export function depthOf(type: Datatype): number {
  let depth = 0;
  for (let level: readonly Datatype[] = [type]; level.length > 0; level = [...new Set(level.flatMap(childrenOf))])
    depth++;
  return depth;
}

function* nodesOf(root: LayoutNode): Generator<LayoutNode> {
  const stack = [root];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    yield top;
    if (top.kind === "sequence") stack.push(...top.members.map(({ node }) => node));
    else if (top.kind !== "dense") stack.push(top.child);
  }
}

/** What only a layout can be, as FEATURES has what datatypes can be. */
export const LAYOUT_FEATURES: Readonly<Record<string, (layout: Layout) => boolean>> = {
  "a stream of one with a start": ({ startBytes, root }) =>
    startBytes !== 0 && root.kind === "stream" && root.count === 1,
  "a stream of none": ({ root }) => [...nodesOf(root)].some((node) => node.kind === "stream" && node.count === 0),
  "a stride of 0": ({ root }) =>
    [...nodesOf(root)].some((node) => node.kind === "stream" && node.strideBytes === 0 && node.count > 1),
  "a negative stride": ({ root }) => [...nodesOf(root)].some((node) => node.kind === "stream" && node.strideBytes < 0),
  "blocks of lengths of their own": ({ root }) =>
    [...nodesOf(root)].some((node) => node.kind === "blocks" && node.blocklengths !== 1),
  "uniform blocks": ({ root }) => [...nodesOf(root)].some((node) => node.kind === "blocks" && node.blocklengths === 1),
  "a sequence": ({ root }) => root.kind === "sequence" && root.members.length > 1,
  "an empty sequence": ({ root }) =>
    [...nodesOf(root)].some((node) => node.kind === "sequence" && node.members.length === 0),
  "a negative extent": ({ extentBytes }) => extentBytes < 0,
  "no bytes at all": ({ sizeBytes }) => sizeBytes === 0,
};
