import {
  entryBounds,
  tabledSide,
  type Binding,
  type Conditions,
  type Move,
  type TableIndex,
} from "@stowage/backend-api";
import { originAddress } from "@stowage/cuda-plans";
import { commonAlignment } from "@stowage/ir";
import { NodeList } from "../bind/plan-block.js";
import { NODE_BYTES } from "../encode/node-record.js";
import { WIDEST_WORD_BYTES } from "../encode/widest-word.js";
import { HEADER, HEADER_BYTES, PARAMETER_CLASSES } from "../kernel/plan-block.js";
import type { DataHints, WordBytes } from "../kernel/variant.js";
import type { Sharing, Tuning } from "../options.js";
import type { EncodedMove, Payload } from "../payload.js";
import { TABLED, TABLED_BYTES } from "./record.js";
import { TABLED_THREADS, type TabledSideForm, type TabledVariant, type TabledWords } from "./variant.js";

/** Where the tables of a binding lie on the device. */
export interface TableAddresses {
  readonly source: number;
  readonly target: number;
  /** 0 where the number of elements is known. */
  readonly count: number;
}

/** A launch as it was decided: its kernel, how many blocks, and what they read. */
export interface TabledLaunch {
  readonly variant: TabledVariant;
  readonly blocks: number;
  /** Whether it reads tables or a count that were uploaded for it. */
  readonly uploads: boolean;
  /** The records, addresses among them, with the layouts behind. */
  readonly block: Uint8Array;
}

export interface TabledFacts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly payload: Payload;
  readonly tuning: Tuning;
  readonly multiprocessors: number;
  readonly lookasideAddress: number;
}

/** A move that moves bytes, with what its binding says. */
interface Bound {
  readonly i: number;
  readonly move: Move;
  readonly encoded: EncodedMove;
  readonly binding: Binding;
  readonly addresses: TableAddresses;
  readonly firstElement: number;
  readonly elements: number;
  readonly isPart: boolean;
}

/** Decides the launch of some bindings; undefined where they move no byte. */
export function tabledLaunch(
  facts: TabledFacts,
  bindings: readonly Binding[],
  addresses: readonly TableAddresses[],
): TabledLaunch | undefined {
  const bound = bindings.flatMap((binding, i) => boundMove(facts, i, binding, addresses[i] as TableAddresses));
  const [first] = bound;
  if (first === undefined) return undefined;
  const { words, narrow } = wordsOf(facts, bound);
  const isNarrow = (each: Bound): boolean => widestWord(each) < words.wordBytes;
  const taken = bound.map((each) => (narrow !== undefined && isNarrow(each) ? narrow : words));
  const pieces = bound.map((each, at) => piecesOf(each, taken[at] as TabledWords));
  let tiles = 0;
  const firstTiles = bound.map(({ elements }, at) => {
    const begins = tiles;
    tiles += Math.ceil((elements * (pieces[at] as number)) / groupsPerTile(taken[at] as TabledWords));
    return begins;
  });
  const block = blockOf(facts, bound, { firstTiles, pieces, tiles, isNarrow: bound.map(isNarrow) });
  const variant: TabledVariant = {
    ...words,
    ...(narrow === undefined ? {} : { narrow }),
    source: formOf(first.move, "source", bound),
    target: formOf(first.move, "target", bound),
    skips: first.move.tables?.skips === true,
    counted: first.addresses.count !== 0,
    isPart: bound.some(({ isPart }) => isPart),
    positionBits: bound.every(({ move }) => move.source.sizeBytes <= NARROW_BYTES) ? 32 : 64,
    tableBits: facts.payload.tableBits,
    branching: bound.some(({ encoded }) => encoded.source.branching || encoded.target.branching),
    searched: bound.some(({ encoded }) => encoded.source.searched || encoded.target.searched),
    moves: movesOf(firstTiles, tiles),
    planBytes: PARAMETER_CLASSES.find((bytes) => bytes >= block.byteLength) ?? 0,
    hints: { bypassL1: facts.tuning.hints.bypassL1, storeOperator: storeOf(facts.tuning) },
  };
  const uploads = bindings.some(({ tables }) => SIDES.some((side) => tables?.[side]?.memory.kind === "host"));
  return { variant, blocks: blocksFor(tiles, facts.conditions), uploads, block };
}

/**
 * The words of a launch's moves: those of the widest, and of all that cannot take as wide ones. Pages of 656 and of
 * 132 bytes in one launch so move by 16 and by 4 bytes.
 */
function wordsOf(
  facts: TabledFacts,
  bound: readonly Bound[],
): { readonly words: TabledWords; readonly narrow?: TabledWords } {
  const widths = bound.map(widestWord);
  const widest = Math.max(...widths) as WordBytes;
  const wide = bound.filter((_, i) => widths[i] === widest);
  const rest = bound.filter((_, i) => widths[i] !== widest);
  const narrowest = Math.min(...widths) as WordBytes;
  const wordsIn = (some: readonly Bound[], wordBytes: number): number =>
    some.reduce((sum, { binding }) => sum + binding.length, 0) / wordBytes;
  const most = mostUnrolled(wordsIn(wide, widest) + wordsIn(rest, narrowest), facts.multiprocessors);
  const words = wordsAs(facts, wide, widest, most);
  return rest.length === 0 ? { words } : { words, narrow: wordsAs(facts, rest, narrowest, most) };
}

function wordsAs({ tuning }: TabledFacts, bound: readonly Bound[], wordBytes: WordBytes, most: number): TabledWords {
  const longest = Math.max(...bound.map(({ move }) => move.source.sizeBytes));
  const shared = tuning.sharing === "fitting" ? sharing(longest / wordBytes, most) : tuning.sharing;
  const pieces = bound.map((each) => piecesOf(each, { wordBytes, ...shared }));
  const [first] = pieces;
  return {
    wordBytes,
    threadsPerElement: shared.threadsPerElement,
    unroll: shared.unroll,
    pieces: first !== undefined && pieces.every((each) => each === first) ? first : "differing",
  };
}

type SharedWords = Pick<TabledWords, "wordBytes" | "threadsPerElement" | "unroll">;
const piecesOf = ({ move }: Bound, { wordBytes, threadsPerElement, unroll }: SharedWords): number =>
  Math.ceil(move.source.sizeBytes / wordBytes / (threadsPerElement * unroll));

const storeOf = ({ hints: { storeOperator } }: Tuning): DataHints["storeOperator"] =>
  storeOperator === "fitting" ? "wb" : storeOperator;

function movesOf(firstTiles: readonly number[], tiles: number): TabledVariant["moves"] {
  if (firstTiles.length === 1) return "one";
  const each = tiles / firstTiles.length;
  return firstTiles.every((first, i) => first === i * each) ? "alike" : "searched";
}

const SIDES = ["source", "target", "count"] as const;

/** Elements, or pieces of them, that a block of threads moves. */
export const groupsPerTile = ({ threadsPerElement }: Pick<TabledVariant, "threadsPerElement">): number =>
  TABLED_THREADS / threadsPerElement;

/** Positions below this stay within what narrow magic numbers divide. */
export const NARROW_BYTES = 2 ** 31;

function boundMove({ moves, payload }: TabledFacts, i: number, binding: Binding, addresses: TableAddresses): Bound[] {
  const { first, length } = binding;
  if (length === 0) return [];
  const move = moves[i] as Move;
  const { sizeBytes } = move.source;
  const firstElement = Math.floor(first / sizeBytes);
  const elements = Math.floor((first + length - 1) / sizeBytes) + 1 - firstElement;
  const isPart = first % sizeBytes !== 0 || length % sizeBytes !== 0;
  const encoded = payload.moves[i] as EncodedMove;
  return [{ i, move, encoded, binding, addresses, firstElement, elements, isPart }];
}

/** Of one element's words, wherever its tables put it, and of the ends of its range. */
function widestWord({ move, encoded, binding, isPart }: Bound): number {
  const { source, target, tables } = move;
  const places = (["source", "target"] as const).flatMap((side) => [
    originAddress(binding[side]) + encoded[side].startBytes,
    tables?.[side]?.strideBytes ?? (side === "source" ? source : target).extentBytes,
  ]);
  const ends = isPart ? [binding.first, binding.length] : [];
  return Math.min(
    encoded.source.elementGranularity,
    encoded.target.elementGranularity,
    commonAlignment([source.sizeBytes, ...places, ...ends], WIDEST_WORD_BYTES),
  );
}

/** With fewer words to move, loads of more threads take the place of several of one. */
const MOST_UNROLLED = [1, 2, 8] as const;
const THREADS_OF_A_MULTIPROCESSOR = 512;

/** One of few limits: how many elements there are changes from call to call, and each kernel is compiled anew. */
export function mostUnrolled(words: number, multiprocessors: number): number {
  const most = words / (multiprocessors * THREADS_OF_A_MULTIPROCESSOR);
  return MOST_UNROLLED.findLast((each) => each <= Math.max(1, most)) ?? 1;
}

const WARP = 32;
/** Elements of so many words take a warp or less: results/h100/pages-sharing.json. */
const SHORT_WORDS = 32;
const LONG_WORDS = 1024;
const BLOCK_UNROLLS = [4, 5, 6, 7, 8] as const;
const WARP_UNROLLS = [6, 7, 8] as const;

/**
 * How many threads share an element, and how many words each has in flight. What counts is that the threads of a warp
 * ask for bytes side by side: pages at odd multiples of 16 bytes lose a fifth where groups of 8 threads have 4 to 6
 * words each, since each group's request ends in sectors of its own. So short elements take a word a thread, longer
 * ones a warp with many words in flight, which touches few elements at a time, and the longest a block.
 */
export function sharing(words: number, mostUnroll: number): Sharing {
  if (words <= SHORT_WORDS) return { threadsPerElement: Math.min(WARP / 2, powerFrom(words)), unroll: 1 };
  const threadsPerElement = words < LONG_WORDS ? WARP : TABLED_THREADS;
  const idle = (unroll: number): number => Math.ceil(words / (threadsPerElement * unroll)) * threadsPerElement * unroll;
  const unrolls = words < LONG_WORDS ? WARP_UNROLLS : BLOCK_UNROLLS;
  const best = unrolls.reduce<number>((least, unroll) => (idle(unroll) < idle(least) ? unroll : least), unrolls[0]);
  return { threadsPerElement, unroll: Math.min(best, mostUnroll) };
}

const powerFrom = (least: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, least)));

function formOf({ tables }: Move, side: "source" | "target", bound: readonly Bound[]): TabledSideForm {
  const index: TableIndex | "none" = tables?.[side]?.index ?? "none";
  return { index, dense: bound.every(({ move }) => move[side].root.kind === "dense") };
}

const MOST_BLOCKS = 2 ** 31 - 1;
/** Blocks of this kernel that a multiprocessor holds. */
const BLOCKS_OF_A_MULTIPROCESSOR = 8;

/** Blocks take tiles a grid apart: as many as a budget of multiprocessors holds at a time reach all of them. */
export const blocksFor = (tiles: number, { smBudget }: Conditions): number =>
  Math.min(tiles, smBudget === undefined ? MOST_BLOCKS : smBudget * BLOCKS_OF_A_MULTIPROCESSOR);

interface Cut {
  readonly firstTiles: readonly number[];
  readonly pieces: readonly number[];
  readonly tiles: number;
  readonly isNarrow: readonly boolean[];
}

function blockOf(
  { lookasideAddress }: TabledFacts,
  bound: readonly Bound[],
  { firstTiles, pieces, tiles, isNarrow }: Cut,
): Uint8Array {
  const listBytes = HEADER_BYTES + bound.length * TABLED_BYTES;
  const nodes = new NodeList(listBytes);
  const list = new DataView(new ArrayBuffer(listBytes));
  list.setBigUint64(HEADER.lookaside, BigInt(lookasideAddress), true);
  list.setUint32(HEADER.transfers, bound.length, true);
  list.setUint32(HEADER.tiles, tiles, true);
  bound.forEach((each, at) => {
    const record = new DataView(list.buffer, HEADER_BYTES + at * TABLED_BYTES, TABLED_BYTES);
    record.setUint32(TABLED.firstTile, firstTiles[at] as number, true);
    record.setUint32(TABLED.pieces, pieces[at] as number, true);
    record.setUint32(TABLED.narrow, isNarrow[at] === true ? 1 : 0, true);
    record.setUint32(TABLED.sourceNode, nodes.at(each.encoded.source.nodes) + NODE_BYTES, true);
    record.setUint32(TABLED.targetNode, nodes.at(each.encoded.target.nodes) + NODE_BYTES, true);
    writeRecord(record, each);
  });
  const layouts = nodes.bytes();
  const block = new Uint8Array(listBytes + layouts.byteLength);
  block.set(new Uint8Array(list.buffer));
  block.set(layouts, listBytes);
  return block;
}

function writeRecord(record: DataView, { i, move, encoded, binding, addresses, firstElement, elements }: Bound): void {
  const s64 = (field: number, value: number): void => record.setBigInt64(field, BigInt(value), true);
  s64(TABLED.sizeBytes, move.source.sizeBytes);
  s64(TABLED.firstByte, binding.first);
  s64(TABLED.endByte, binding.first + binding.length);
  s64(TABLED.firstElement, firstElement);
  record.setUint32(TABLED.elements, elements, true);
  s64(TABLED.count, addresses.count);
  for (const side of ["source", "target"] as const) {
    const tabled = tabledSide(i, move, side, binding);
    s64(TABLED[side], originAddress(binding[side]) + encoded[side].startBytes);
    s64(TABLED[`${side}Stride`], tabled?.table.strideBytes ?? move[side].extentBytes);
    if (tabled === undefined) continue;
    const { least, most } = entryBounds(tabled);
    s64(TABLED[`${side}Table`], addresses[side]);
    s64(TABLED[`${side}Least`], least);
    s64(TABLED[`${side}Most`], most);
  }
}
