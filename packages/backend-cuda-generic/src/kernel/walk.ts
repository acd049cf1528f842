import { divideByShortMagic, type Builder, type Value } from "@stowage/ptx";
import { KIND, NODE } from "../encode/node-record.js";
import type { PlanReader } from "./plan-reader.js";
import { pointAt, type Point, type PositionType } from "./point.js";
import { CACHED, search, signExtended } from "./search.js";

/** What walking the tree takes besides the points. */
export interface WalkContext {
  readonly k: Builder;
  /** The list of transfers, and the records of layouts. */
  readonly list: PlanReader;
  readonly nodes: PlanReader;
  readonly lookaside: Value;
  readonly positionType: PositionType;
  readonly tableBits: 32 | 64;
  readonly branching: boolean;
  readonly searched: boolean;
  readonly traverses: boolean;
}

/**
 * Memory offsets of packed positions: Jenkins' traversal (2014, algorithm 1), from a root record down to a dense
 * leaf. Without sequences all points meet the same nodes, and walk side by side; with them, one after the other.
 */
function walk(context: WalkContext, node: Value, positions: readonly Value[]): readonly Value[] {
  const points = positions.map((position) => pointAt(context.k, context.positionType, position));
  if (context.branching) for (const point of points) descend(context, node, [point]);
  else descend(context, node, points);
  return points.map(({ offset }) => offset);
}

/** Finds where packed positions of one side lie. */
export interface Walker {
  offsets(positions: readonly Value[]): readonly Value[];
  run(position: Value): RunRest;
}

/** Walks the records in the plan block, from a root. */
export const recordWalker = (context: WalkContext, node: () => Value): Walker => ({
  offsets: (positions) => walk(context, node(), positions),
  run: (position) => walkToRun(context, node(), position),
});

/** Walks a side that is one run: what is packed lies where its position says. */
export const denseWalker: Walker = {
  offsets: (positions) => positions.map((position) => position.to("u64")),
  run: () => {
    throw new TypeError("dense side: expected to be walked word by word, got a walk by runs");
  },
};

/** A packed position's offset, and how many bytes from there on lie side by side: what is left of its run. */
export interface RunRest {
  readonly offset: Value;
  readonly restBytes: Value;
}

function walkToRun(context: WalkContext, node: Value, position: Value): RunRest {
  const { k, positionType } = context;
  const restBytes = k.variable(positionType, 0);
  const point = { ...pointAt(k, positionType, position), restBytes };
  descend(context, node, [point]);
  return { offset: point.offset, restBytes };
}

function descend(context: WalkContext, root: Value, points: readonly Point[]): void {
  const { k, nodes } = context;
  const node = k.variable("u32", root);
  const kind = k.variable("u32", nodes.u32(node, NODE.kind));
  k.while(
    () => kind.ne(KIND.dense),
    () => {
      const next = k.variable("u32", nodes.u32(node, NODE.child));
      k.if(
        kind.eq(KIND.stream),
        () => streamStep(context, node, points),
        () =>
          k.if(
            kind.eq(KIND.listed),
            () => listedStep(context, node, points),
            () => context.searched && searchedStep(context, node, kind, points, (child) => next.set(next.add(child))),
          ),
      );
      node.set(next);
      kind.set(nodes.u32(node, NODE.kind));
    },
  );
  for (const { position, offset, restBytes } of points) {
    offset.set(offset.add(position.to("u64")));
    if (restBytes === undefined) continue;
    // A leaf knows its length, but for the runs of a list: there the search left what is left of the block.
    const leafBytes = nodes.u64(node, NODE.childBytes).to(context.positionType);
    restBytes.set(restBytes.eq(0).select(leafBytes.sub(position), restBytes));
  }
}

/** k = position / child size: of each point, which child it is in; the position becomes the one within it. */
function enterChildren({ nodes, positionType }: WalkContext, node: Value, points: readonly Point[]): readonly Value[] {
  const wide = positionType === "u64";
  const multiplier = wide ? nodes.u64(node, NODE.multiplier) : nodes.u32(node, NODE.narrowMultiplier);
  const shift = nodes.u32(node, wide ? NODE.shift : NODE.narrowShift);
  const childBytes = nodes.u64(node, NODE.childBytes).to(positionType);
  return points.map(({ position }) => {
    const child = divideByShortMagic(position, { multiplier, shift });
    position.set(position.sub(child.mul(childBytes)));
    return child;
  });
}

function streamStep(context: WalkContext, node: Value, points: readonly Point[]): void {
  const stride = context.nodes.u64(node, NODE.strideBytes);
  const children = enterChildren(context, node, points);
  points.forEach(({ offset }, i) => offset.set((children[i] as Value).to("u64").mulAdd(stride, offset)));
}

function listedStep(context: WalkContext, node: Value, points: readonly Point[]): void {
  const { k, nodes, lookaside, tableBits } = context;
  const table = lookaside.add(nodes.u64(node, NODE.entries));
  const displacements = enterChildren(context, node, points).map((child) => {
    const address = table.add(child.to("u64").shl(tableBits === 32 ? 2 : 3));
    return k.load("global", address, { bits: tableBits }, CACHED);
  });
  points.forEach(({ offset }, i) => offset.set(offset.add(signExtended(displacements[i] as Value))));
}

function searchedStep(
  context: WalkContext,
  node: Value,
  kind: Value,
  points: readonly Point[],
  enter: (child: Value) => void,
): void {
  const { k, nodes, lookaside, positionType, tableBits } = context;
  const tables = {
    entries: lookaside.add(nodes.u64(node, NODE.entries)),
    buckets: lookaside.add(nodes.u64(node, NODE.buckets)),
    bucketShift: nodes.u32(node, NODE.bucketShift),
  };
  const found = search(k, points, tables, positionType, tableBits);
  points.forEach(({ position, offset, restBytes }, i) => {
    const { prefix, displacement, nextPrefix } = found[i] as (typeof found)[number];
    if (restBytes !== undefined) {
      restBytes.set(kind.eq(KIND.runs).select(nextPrefix.sub(position), restBytes));
    }
    position.set(position.sub(prefix));
    offset.set(offset.add(displacement));
  });
  k.if(kind.eq(KIND.blocks), () => streamStep(context, node, points));
  if (!context.branching) return;
  // A sequence's own child field says where its side's records start; its members' records count from there.
  k.if(kind.eq(KIND.sequence), () => {
    const children = lookaside.add(nodes.u64(node, NODE.children));
    const [first] = found;
    if (first !== undefined) enter(k.load("global", children.add(first.index.mulWide(4)), { bits: 32 }, CACHED));
  });
}
