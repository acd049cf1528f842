import {
  ascendingOrder,
  greatestCommonDivisor,
  integerTable,
  type Blocks,
  type IntegerTable,
  type LayoutNode,
  type Member,
  type Stream,
} from "@stowage/ir";
import { cut } from "../../cut.js";
import { evenPieces, pieceBytesOf, type EvenPieces } from "../../even-pieces.js";
import type { PairingRule } from "../../pairing.js";
import { loop, membersOf, run, type Pair, type PairMember } from "../../pair.js";

/** Members that one program writes out, all of its lists together. */
const MOST_MEMBERS = 64;
/** Pieces that a table may be cut into, for each entry that it had. */
const MOST_PIECES_AN_ENTRY = 4;

/** What pairing may still write out. */
interface Budget {
  members: number;
}

/**
 * Walks two nodes of one size together and refines them to one tree of pairs: what divides the packed stream on
 * either side divides it on both. Streams whose shapes factor compatibly pair as streams, as the refinement of two
 * (count : stride) lists in layout algebra; tables pair by pieces that divide both; lists are cut where either is.
 * 1.9 over unpack(pack()) on a Zen 4, 78 copies (results/epyc/relayout.json).
 */
export const pairedNests: PairingRule = {
  name: "paired nests",
  plan(_, { source, target }) {
    const pair = pairNodes(source, target, { members: MOST_MEMBERS });
    return pair === undefined ? "no tree of reasonable size" : { what: "paired", pair };
  },
};

function pairNodes(source: LayoutNode, target: LayoutNode, budget: Budget): Pair | undefined {
  if (source.sizeBytes !== target.sizeBytes)
    throw new RangeError(`pair: expected equal sizes, got ${source.sizeBytes} and ${target.sizeBytes}`);
  if (source.kind === "dense" && target.kind === "dense") return run(source.lengthBytes);
  if (source.kind === "sequence" || target.kind === "sequence")
    return pairLists(listOf(source), listOf(target), budget);
  if (source.kind === "blocks" || target.kind === "blocks") return pairTables(source, target, budget);
  return pairStreams(source, target, budget);
}

const childBytesOf = (node: LayoutNode): number => (node.kind === "stream" ? node.child.sizeBytes : node.sizeBytes);

/** At least one is a stream, the other one or dense. The longest piece that is whole children of either. */
function pairStreams(source: LayoutNode, target: LayoutNode, budget: Budget): Pair | undefined {
  // The outermost division of either side; a dense run divides anywhere.
  const [a, b] = [childBytesOf(source), childBytesOf(target)];
  const bytes = source.kind === "dense" ? b : target.kind === "dense" ? a : Math.max(a, b);
  const [from, to] = [evenPieces(source, bytes), evenPieces(target, bytes)];
  if (from !== undefined && to !== undefined && isEven(source, bytes) && isEven(target, bytes)) {
    const child = pairNodes(from.piece, to.piece, budget);
    return child === undefined ? undefined : loop(from.count, strideOf(from), strideOf(to), child);
  }
  return pairRagged(source as Stream, target as Stream, budget);
}

/** Whether pieces of that size are one stride apart. */
const isEven = (node: LayoutNode, bytes: number): boolean => node.kind === "dense" || bytes % childBytesOf(node) === 0;

const strideOf = ({ count, displacementOf }: EvenPieces): number =>
  count > 1 ? displacementOf(1) - displacementOf(0) : 0;

/** Streams whose children divide neither way: a stretch that is whole on both sides, cut where either ends. */
function pairRagged(source: Stream, target: Stream, budget: Budget): Pair | undefined {
  const [a, b] = [source.child.sizeBytes, target.child.sizeBytes];
  const bytes = (a / greatestCommonDivisor(a, b)) * b;
  const [from, to] = [evenPieces(source, bytes), evenPieces(target, bytes)];
  if (from === undefined || to === undefined || from.count === 1) return pairPieces(source, target, budget);
  const child = pairPieces(from.piece, to.piece, budget);
  return child === undefined ? undefined : loop(from.count, strideOf(from), strideOf(to), child);
}

function pairPieces(source: LayoutNode, target: LayoutNode, budget: Budget): Pair | undefined {
  const [from, to] = [listOf(source), listOf(target)];
  // Nothing to cut: they would come back here.
  return from.length === 1 && to.length === 1 ? undefined : pairLists(from, to, budget);
}

/** A node as members one after another; a stream of few children is written out. */
function listOf(node: LayoutNode): readonly Member[] {
  if (node.kind === "sequence") return node.members.filter((member) => member.node.sizeBytes > 0);
  if (node.kind !== "stream" || node.count > MOST_MEMBERS) return [{ offsetBytes: 0, node }];
  return Array.from({ length: node.count }, (_, i) => ({ offsetBytes: i * node.strideBytes, node: node.child }));
}

function pairLists(sources: readonly Member[], targets: readonly Member[], budget: Budget): Pair | undefined {
  const members: PairMember[] = [];
  const [from, to] = [[...sources].reverse(), [...targets].reverse()];
  for (
    let source = from.pop(), target = to.pop();
    source !== undefined && target !== undefined;
    source = from.pop(), target = to.pop()
  ) {
    if (--budget.members < 0) return undefined;
    const bytes = Math.min(source.node.sizeBytes, target.node.sizeBytes);
    const [first, second] = [taken(source, bytes, from), taken(target, bytes, to)];
    const pair = first === undefined || second === undefined ? undefined : pairHeads(first, second, budget);
    if (pair === undefined) return undefined;
    members.push(pair);
  }
  return membersOf(members);
}

/** The first `bytes` of a member, as members; what is left goes back. */
function taken({ offsetBytes, node }: Member, bytes: number, rest: Member[]): readonly Member[] | undefined {
  const halves = cut(node, bytes);
  if (halves === undefined) return undefined;
  const here = (members: readonly Member[]) =>
    members.map((member) => ({ offsetBytes: offsetBytes + member.offsetBytes, node: member.node }));
  rest.push(...here(halves[1]).toReversed());
  return here(halves[0]);
}

function pairHeads(sources: readonly Member[], targets: readonly Member[], budget: Budget): PairMember | undefined {
  const [source, target] = [sources[0], targets[0]];
  if (sources.length === 1 && targets.length === 1 && source !== undefined && target !== undefined) {
    const pair = pairNodes(source.node, target.node, budget);
    return pair === undefined ? undefined : { sourceBytes: source.offsetBytes, targetBytes: target.offsetBytes, pair };
  }
  const pair = pairLists(sources, targets, budget);
  return pair === undefined ? undefined : { sourceBytes: 0, targetBytes: 0, pair };
}

/** At least one side is a table: both in pieces that divide the entries of every table. */
function pairTables(source: LayoutNode, target: LayoutNode, budget: Budget): Pair | undefined {
  const tables = [source, target].filter((node): node is Blocks => node.kind === "blocks");
  const bytes = [source, target].reduce((divisor, node) => greatestCommonDivisor(pieceOf(node), divisor), 0);
  const entries = tables.reduce((sum, table) => sum + table.displacementsBytes.length, 0);
  if (bytes === 0 || source.sizeBytes / bytes > MOST_PIECES_AN_ENTRY * entries) return undefined;
  const [from, to] = [evenPieces(source, bytes), evenPieces(target, bytes)];
  if (from === undefined || to === undefined) return undefined;
  const child = pairNodes(from.piece, to.piece, budget);
  if (child === undefined) return undefined;
  return { kind: "walk", displacementsBytes: byTarget(from, to), child };
}

/** Pairs of displacements in the order of the target's: it is then written line after line, whatever is read. */
function byTarget(
  { count, displacementOf: sourceOf }: EvenPieces,
  { displacementOf: targetOf }: EvenPieces,
): IntegerTable {
  const targets = integerTable(count, targetOf);
  const order = ascendingOrder(targets);
  return integerTable(2 * count, (i) => {
    const piece = order === undefined ? Math.floor(i / 2) : (order[Math.floor(i / 2)] as number);
    return i % 2 === 0 ? sourceOf(piece) : (targets[piece] as number);
  });
}

/** What pieces of a node must divide: a table's entries; of a stream its children, where those are the shorter. */
const pieceOf = (node: LayoutNode): number =>
  node.kind === "blocks" ? pieceBytesOf(node) || 1 : node.kind === "stream" ? node.child.sizeBytes : node.sizeBytes;
