import { ascendingOrder, distinctNodes, forEachRun, integerTable, layout, type LayoutNode } from "@stowage/ir";
import { membersOf, run, type Pair } from "../../pair.js";
import type { PairingRule } from "../../pairing.js";

/** Runs of both sides together that a program carries tables for. */
const MOST_RUNS = 2 ** 20;
/** Longest piece of the table; longer ones are several. */
const LONGEST_BYTES = 64;
/** Packed bytes whose pieces are sorted by length together: what they touch stays in L2. */
const SORTED_BYTES = 2 ** 17;
/** Lists shorter than this are no reason for a table. */
const LONG_LIST = 8;

/** Bytes [source, source + length) that go to [target, target + length). */
interface Piece {
  readonly source: number;
  readonly target: number;
  readonly length: number;
}

/**
 * Two irregular nodes, run by run: the pieces between all ends of runs of either side. No order of them is prescribed,
 * so those of like lengths go together, and no branch depends on a length. Regular layouts' strides say the same in
 * fewer words. Runs of 1 to 40 bytes at 16 MiB, of which there are too many for tables, are at 0.9 to 1.0 of
 * unpack(pack()).
 */
export const piecesByLength: PairingRule = {
  name: "pieces by length",
  plan(_, { source, target }) {
    if (source.blockCount + target.blockCount > MOST_RUNS) return "more runs than a program carries tables for";
    return isIrregular(source) || isIrregular(target)
      ? { what: "paired", pair: pairRuns(source, target) }
      : "regular layouts, which need no table";
  },
};

function pairRuns(source: LayoutNode, target: LayoutNode): Pair {
  const pairs: Pair[] = [];
  let [pieces, bytes]: [Piece[], number] = [[], 0];
  for (const piece of byTarget([...piecesOf(source, target)])) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < SORTED_BYTES) continue;
    pairs.push(...byLength(pieces));
    [pieces, bytes] = [[], 0];
  }
  pairs.push(...byLength(pieces));
  return membersOf(pairs.map((pair) => ({ sourceBytes: 0, targetBytes: 0, pair })));
}

function isIrregular(root: LayoutNode): boolean {
  for (const node of distinctNodes(root)) {
    if (node.kind === "blocks" || (node.kind === "sequence" && node.members.length > LONG_LIST)) return true;
  }
  return false;
}

/** Offsets and lengths of all runs of a node, in packed order. */
function runsOf(node: LayoutNode): Float64Array {
  const runs = new Float64Array(2 * node.blockCount);
  let filled = 0;
  forEachRun(
    layout(0, node, { lowerBoundBytes: 0, extentBytes: 0 }),
    { count: 1, first: 0, length: node.sizeBytes },
    (offset, length) => {
      runs[filled++] = offset;
      runs[filled++] = length;
    },
  );
  return runs.subarray(0, filled);
}

function* piecesOf(source: LayoutNode, target: LayoutNode): Generator<Piece> {
  const [from, to] = [runsOf(source), runsOf(target)];
  let [i, j, used, filled] = [0, 0, 0, 0];
  while (i < from.length && j < to.length) {
    const [left, room] = [(from[i + 1] as number) - used, (to[j + 1] as number) - filled];
    const length = Math.min(left, room, LONGEST_BYTES);
    yield { source: (from[i] as number) + used, target: (to[j] as number) + filled, length };
    [i, used] = length === left ? [i + 2, 0] : [i, used + length];
    [j, filled] = length === room ? [j + 2, 0] : [j, filled + length];
  }
}

/** The target is then written line after line, but for the order of lengths. */
function byTarget(pieces: readonly Piece[]): readonly Piece[] {
  const order = ascendingOrder(integerTable(pieces.length, (i) => (pieces[i] as Piece).target));
  return order === undefined ? pieces : Array.from(order, (i) => pieces[i] as Piece);
}

/** Two moves of a power of two bytes that overlap cover any length from that to twice that. */
function byLength(pieces: readonly Piece[]): readonly Pair[] {
  const groups = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const width = 2 ** Math.floor(Math.log2(piece.length));
    const group = groups.get(width);
    if (group === undefined) groups.set(width, [piece]);
    else group.push(piece);
  }
  return [...groups].map(([width, group]) =>
    group.every(({ length }) => length === group[0]?.length) ? equal(group) : overlapping(width, group),
  );
}

const equal = (group: readonly Piece[]): Pair => ({
  kind: "walk",
  displacementsBytes: integerTable(2 * group.length, (i) => {
    const { source, target } = group[Math.floor(i / 2)] as Piece;
    return i % 2 === 0 ? source : target;
  }),
  child: run((group[0] as Piece).length),
});

const overlapping = (widthBytes: number, group: readonly Piece[]): Pair => ({
  kind: "overlaps",
  widthBytes,
  displacementsBytes: integerTable(3 * group.length, (i) => {
    const { source, target, length } = group[Math.floor(i / 3)] as Piece;
    return i % 3 === 0 ? source : i % 3 === 1 ? target : length - widthBytes;
  }),
});
