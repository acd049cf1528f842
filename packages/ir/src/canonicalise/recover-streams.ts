import { uniformBlocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import type { Blocks, LayoutNode, Member, Sequence } from "../layout/node.js";
import { sequence } from "../layout/sequence.js";
import { integerTable } from "../integer-table.js";
import { inPlace, type Pass } from "./pass.js";
import { groupRuns, type Items } from "./group-runs.js";
import { ShapeTable } from "./shape-table.js";

/**
 * Recovers nested streams from an enumeration of their parts. Precondition: a list of parts (blocks of one child,
 * runs of bytes, members of a sequence) of which maximal runs of equal parts stand at a constant stride, and the runs
 * again, level by level. Equation: c at d, c at d + s, .., c at d + (n−1) s = stream(n, s, c) at d.
 *
 * Linear: a level is at most half as long as the one below it, and a list without regularity is given up while its
 * runs are counted. The result is kept where it is one stream, or much smaller than the list, or a list of equal
 * streams; otherwise the list stays as it is. TEMPI leaves this as future work (section 8).
 */
export const recoverStreams: Pass = {
  name: "recoverStreams",
  kinds: ["blocks", "sequence"],
  rewrite(node) {
    if (node.kind === "blocks") return recoverFromBlocks(node);
    return node.kind === "sequence" ? recoverFromSequence(node) : undefined;
  },
};

function recoverFromBlocks({ displacementsBytes, blocklengths, strideBytes, child }: Blocks): Member | undefined {
  const isRuns = strideBytes === 1 && child.kind === "dense" && child.lengthBytes === 1;
  if (blocklengths !== 1 && !isRuns) return undefined;
  const shapes = new ShapeTable((length) => (blocklengths === 1 ? child : dense(length)));
  const items: Items = { offsets: displacementsBytes, shapes: blocklengths === 1 ? undefined : blocklengths };
  return shortest(items, shapes, fewFor(displacementsBytes.length));
}

function recoverFromSequence({ members }: Sequence): Member | undefined {
  const shapes = ShapeTable.ofNodes(members.map(({ node }) => node));
  const items: Items = {
    offsets: integerTable(members.length, (i) => members[i]?.offsetBytes ?? 0),
    shapes: integerTable(members.length, (i) => shapes.idOf(i)),
  };
  return shortest(items, shapes, members.length / 2);
}

/** How many parts of unlike shape may stand for a list: members of a sequence cost more than entries of a table. */
const fewFor = (listLength: number): number => listLength / (listLength <= 64 ? 4 : 16);

/**
 * Groups runs, then runs of runs, and so on; the last level whose form is worth having, if any is. Unlike parts must be
 * few beside the list, and beside a list of equal streams that an earlier level made of it.
 */
function shortest(items: Items, shapes: ShapeTable, fewAtFirst: number): Member | undefined {
  let best: Member | undefined;
  let few = fewAtFirst;
  for (let level = groupRuns(items, shapes); level !== undefined; level = groupRuns(level, shapes)) {
    const found = asNode(level, shapes, few);
    if (found?.node.kind === "blocks") few = Math.min(few, fewFor(level.offsets.length));
    best = found ?? best;
  }
  return best;
}

function asNode({ offsets, shapes: ids }: Items, shapes: ShapeTable, few: number): Member | undefined {
  const nodeAt = (i: number): LayoutNode => shapes.node(ids?.[i] ?? shapes.only);
  const offsetAt = (i: number): number => offsets[i] as number;
  if (offsets.length === 1) return { offsetBytes: offsetAt(0), node: nodeAt(0) };
  if (ids === undefined || ids.every((id) => id === ids[0])) return inPlace(uniformBlocks(offsets, nodeAt(0)));
  if (offsets.length > few) return undefined;
  return inPlace(sequence(Array.from(offsets, (_, i) => ({ offsetBytes: offsetAt(i), node: nodeAt(i) }))));
}
