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
import { TABLED_THREADS, type TabledSideForm, type TabledVariant } from "./variant.js";

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
  const wordBytes = Math.min(...bound.map(widestWord)) as WordBytes;
  const words = Math.max(...bound.map(({ move }) => move.source.sizeBytes)) / wordBytes;
  const allWords = bound.reduce((sum, { binding }) => sum + binding.length, 0) / wordBytes;
  const most = mostUnrolled(allWords, facts.multiprocessors);
  const { threadsPerElement, unroll } =
    facts.tuning.sharing === "fitting" ? sharing(words, wordBytes, most) : facts.tuning.sharing;
  const pieces = bound.map(({ move }) => Math.ceil(move.source.sizeBytes / wordBytes / (threadsPerElement * unroll)));
  const groupsPerTile = TABLED_THREADS / threadsPerElement;
  let tiles = 0;
  const firstTiles = bound.map(({ elements }, at) => {
    const begins = tiles;
    tiles += Math.ceil((elements * (pieces[at] as number)) / groupsPerTile);
    return begins;
  });
  const block = blockOf(facts, bound, { firstTiles, pieces, tiles });
  const variant: TabledVariant = {
    wordBytes,
    threadsPerElement,
    unroll,
    pieces: pieces.every((each) => each === pieces[0]) ? (pieces[0] as number) : "differing",
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
  return { variant, blocks: blocksFor(tiles, facts.conditions), block };
}

const storeOf = ({ hints: { storeOperator } }: Tuning): DataHints["storeOperator"] =>
  storeOperator === "fitting" ? "wb" : storeOperator;

function movesOf(firstTiles: readonly number[], tiles: number): TabledVariant["moves"] {
  if (firstTiles.length === 1) return "one";
  const each = tiles / firstTiles.length;
  return firstTiles.every((first, i) => first === i * each) ? "alike" : "searched";
}

/** Positions below this stay within what narrow magic numbers divide. */
const NARROW_BYTES = 2 ** 31;

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
function mostUnrolled(words: number, multiprocessors: number): number {
  const most = words / (multiprocessors * THREADS_OF_A_MULTIPROCESSOR);
  return MOST_UNROLLED.findLast((each) => each <= Math.max(1, most)) ?? 1;
}

const THREADS_OF_AN_ELEMENT = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;
/** How well threads keep memory busy with so many loads in flight each. */
const BUSY_BY_UNROLL = [0.8, 0.92, 0.97, 1, 1, 1, 0.98, 0.98] as const;
/** Sectors of a line that a request of the threads of one element asks for. */
const LINE_BYTES = 128;
const LEAST_OF_A_REQUEST = 0.7;
const AGAIN_FOR_A_PIECE = 0.97;

/**
 * How many threads share an element, and how many words each has in flight: as few idle as the length allows, several
 * loads in flight a thread, whole lines a request.
 */
export function sharing(words: number, wordBytes: number, mostUnroll: number): Sharing {
  let best: Sharing & { readonly score: number } = { threadsPerElement: 1, unroll: 1, score: 0 };
  for (const threadsPerElement of THREADS_OF_AN_ELEMENT)
    for (let unroll = 1; unroll <= mostUnroll; unroll++) {
      const taken = threadsPerElement * unroll;
      const pieces = Math.ceil(words / taken);
      const requestBytes = Math.min(LINE_BYTES, threadsPerElement * wordBytes);
      const score =
        (words / (pieces * taken)) *
        (BUSY_BY_UNROLL[unroll - 1] as number) *
        (LEAST_OF_A_REQUEST + (1 - LEAST_OF_A_REQUEST) * (requestBytes / LINE_BYTES)) *
        (pieces > 1 ? AGAIN_FOR_A_PIECE : 1);
      if (score >= best.score) best = { threadsPerElement, unroll, score };
    }
  return { threadsPerElement: best.threadsPerElement, unroll: best.unroll };
}

function formOf({ tables }: Move, side: "source" | "target", bound: readonly Bound[]): TabledSideForm {
  const index: TableIndex | "none" = tables?.[side]?.index ?? "none";
  return { index, dense: bound.every(({ move }) => move[side].root.kind === "dense") };
}

const MOST_BLOCKS = 2 ** 31 - 1;
/** Blocks of this kernel that a multiprocessor holds. */
const BLOCKS_OF_A_MULTIPROCESSOR = 8;

/** Blocks take tiles a grid apart: as many as a budget of multiprocessors holds at a time reach all of them. */
const blocksFor = (tiles: number, { smBudget }: Conditions): number =>
  Math.min(tiles, smBudget === undefined ? MOST_BLOCKS : smBudget * BLOCKS_OF_A_MULTIPROCESSOR);

interface Cut {
  readonly firstTiles: readonly number[];
  readonly pieces: readonly number[];
  readonly tiles: number;
}

function blockOf(
  { lookasideAddress }: TabledFacts,
  bound: readonly Bound[],
  { firstTiles, pieces, tiles }: Cut,
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
