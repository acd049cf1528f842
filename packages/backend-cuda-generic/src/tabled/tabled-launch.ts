import {
  entryBounds,
  isAddressSpace,
  tabledSide,
  type Binding,
  type Conditions,
  type Move,
} from "@stowage/backend-api";
import { originAddress } from "@stowage/cuda-plans";
import { commonAlignment } from "@stowage/ir";
import { NodeList, sameBytes } from "../bind/plan-block.js";
import { NODE_BYTES } from "../encode/node-record.js";
import { WIDEST_WORD_BYTES } from "../encode/widest-word.js";
import { HEADER, HEADER_BYTES } from "../kernel/plan-block.js";
import type { DataHints, WordBytes } from "../kernel/variant.js";
import type { Sharing, Tuning } from "../options.js";
import type { EncodedMove, Payload } from "../payload.js";
import { GROUP, GROUP_BYTES, PLACE, PLACE_BYTES, TABLED_CLASSES } from "./record.js";
import { LEAST_SHIFTED_BYTES, LEAST_SHIFTING_THREADS, SHIFTED_BYTES } from "./shifted-words.js";
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
  readonly groups: readonly LaunchedGroup[];
  /** The records, addresses among them, with the layouts behind. */
  readonly block: Uint8Array;
}

/** Moves side by side that differ in nothing but their memory: they share a record. */
export interface LaunchedGroup {
  readonly pools: number;
  /** Packed bytes of an element. */
  readonly sizeBytes: number;
  readonly elements: number;
  readonly words: TabledWords;
  readonly pieces: number;
}

/** Tiles of one pool of so many elements. */
export const tilesOf = (elements: number, { pieces, words }: LaunchedGroup): number =>
  Math.ceil((elements * pieces) / groupsPerTile(words));

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
  const { words, narrow, narrows } = wordsOf(facts, bound);
  const dense = { source: isDense(bound, "source"), target: isDense(bound, "target") };
  const grouped = groupsOf(bound, (each) => (narrow !== undefined && narrows?.has(each) === true ? narrow : words));
  const tiles = grouped.reduce((sum, { group }) => sum + group.pools * tilesOf(group.elements, group), 0);
  const block = blockOf(facts, { grouped, tiles, words, dense });
  const variant: TabledVariant = {
    ...words,
    ...(narrow === undefined ? {} : { narrow }),
    source: { index: indexOf(first.move, "source"), dense: dense.source },
    target: { index: indexOf(first.move, "target"), dense: dense.target },
    skips: first.move.tables?.skips === true,
    counted: first.addresses.count !== 0,
    isPart: bound.some(({ isPart }) => isPart),
    positionBits: bound.every(({ move }) => move.source.sizeBytes <= NARROW_BYTES) ? 32 : 64,
    tableBits: facts.payload.tableBits,
    branching: bound.some(({ encoded }) => encoded.source.branching || encoded.target.branching),
    searched: bound.some(({ encoded }) => encoded.source.searched || encoded.target.searched),
    among: grouped.length > 1 ? "groups" : bound.length > 1 ? "pools" : "one",
    planBytes: TABLED_CLASSES.find((bytes) => bytes >= block.byteLength) ?? 0,
    hints: {
      bypassL1: facts.tuning.hints.bypassL1,
      storeOperator: storeOf(facts.tuning),
      loadOperator: loadOf(facts, bound),
    },
  };
  const uploads = bindings.some(({ tables }) => SIDES.some((side) => tables?.[side]?.memory.kind === "host"));
  const groups = grouped.map(({ group }) => group);
  return { variant, blocks: blocksFor(tiles, facts.conditions), uploads, groups, block };
}

/**
 * The words of a launch's moves: those of the widest, and of all that cannot take as wide ones. Pages of 656 and of
 * 132 bytes in one launch so move by 16 bytes, and by 8 put together of two. The entries of several of the latter are
 * not read at once: the kernel of both would need more registers than a full multiprocessor has for each thread.
 */
function wordsOf(facts: TabledFacts, bound: readonly Bound[]): LaunchWords {
  const widths = bound.map(widestWord);
  const widest = Math.max(...widths);
  const wide = bound.filter((_, i) => widths[i] === widest);
  const rest = bound.filter((_, i) => widths[i] !== widest);
  const [form, narrowForm] = [formOf(facts, wide), formOf(facts, rest)];
  const most = mostUnrolled(wordsOfRanges(wide, form) + wordsOfRanges(rest, narrowForm), facts.multiprocessors);
  const words = wordsAs(facts, wide, form, most);
  if (rest.length === 0) return { words };
  const narrow = { ...wordsAs(facts, rest, narrowForm, most), elementsAtOnce: 1 };
  return { words, narrow, narrows: new Set(rest) };
}

const wordsOfRanges = (bound: readonly Bound[], { wordBytes }: WordForm): number =>
  bound.reduce((sum, { binding }) => sum + binding.length, 0) / wordBytes;

interface LaunchWords {
  readonly words: TabledWords;
  readonly narrow?: TabledWords;
  /** What takes the narrow ones. */
  readonly narrows?: ReadonlySet<Bound>;
}

type WordForm = Pick<TabledWords, "wordBytes" | "shifts">;

/** Words that all take: shifted ones in place of bytes and pairs of them. */
function formOf({ tuning }: TabledFacts, bound: readonly Bound[]): WordForm {
  const wordBytes = Math.min(WIDEST_WORD_BYTES, ...bound.map(widestWord)) as WordBytes;
  const shifts = tuning.chunks && wordBytes < SHIFTED_BELOW_BYTES && bound.every(canShift);
  return shifts ? { wordBytes: SHIFTED_BYTES, shifts } : { wordBytes, shifts };
}

const SHIFTED_BELOW_BYTES = 8;

/**
 * Whether elements are one run on both sides, so far apart in the source that words may reach beyond any but its last,
 * in memory that begins at a word.
 */
function canShift({ move, binding, isPart }: Bound): boolean {
  const { source, target, tables } = move;
  const { sizeBytes } = source;
  const strideBytes = tables?.source?.strideBytes ?? source.extentBytes;
  const { memory } = binding.source;
  return (
    !isPart &&
    source.root.kind === "dense" &&
    target.root.kind === "dense" &&
    sizeBytes >= LEAST_SHIFTED_BYTES &&
    sizeBytes <= NARROW_BYTES &&
    strideBytes >= sizeBytes &&
    !isAddressSpace(memory) &&
    (memory.address ?? 1) % SHIFTED_BYTES === 0
  );
}

function wordsAs(
  { tuning, conditions: { sourceKind, targetKind } }: TabledFacts,
  bound: readonly Bound[],
  form: WordForm,
  most: number,
): TabledWords {
  const isOnBus = sourceKind !== "device" || targetKind !== "device";
  const longest = Math.max(...bound.map(({ move }) => move.source.sizeBytes));
  const share = form.shifts ? sharingOfShifted : sharing;
  const fitting = tuning.sharing === "fitting" ? share(wordsIn(longest, form), most, isOnBus) : tuning.sharing;
  const threadsPerElement = Math.max(fitting.threadsPerElement, form.shifts ? LEAST_SHIFTING_THREADS : 1);
  const shared = { ...form, ...fitting, threadsPerElement };
  const pieces = bound.map((each) => piecesOf(each, shared));
  const [first] = pieces;
  return {
    ...shared,
    pieces: first !== undefined && pieces.every((each) => each === first) ? first : "differing",
  };
}

/** Of shifted words, the whole ones: what is before and behind them moves beside. */
const wordsIn = (sizeBytes: number, { wordBytes, shifts }: WordForm): number =>
  shifts ? Math.floor(sizeBytes / wordBytes) : sizeBytes / wordBytes;

type SharedWords = Pick<TabledWords, "wordBytes" | "shifts" | "threadsPerElement" | "unroll">;
const piecesOf = ({ move }: Bound, words: SharedWords): number =>
  Math.ceil(wordsIn(move.source.sizeBytes, words) / (words.threadsPerElement * words.unroll));

const storeOf = ({ hints: { storeOperator } }: Tuning): DataHints["storeOperator"] =>
  storeOperator === "fitting" ? "wb" : storeOperator;

/** Bytes of a line of L2; elements shorter than a few of them pay for those that they do not fill. */
const LINE_BYTES = 128;
const SHORT_BYTES = 2 * LINE_BYTES;

/**
 * Short elements that fill no whole lines take up twice their bytes of L2 on each side: what was read leaves it first,
 * so that what was written, whose lines are filled in part, stays.
 */
function loadOf({ tuning, conditions: { sourceKind } }: TabledFacts, bound: readonly Bound[]): "ca" | "cs" {
  const { loadOperator } = tuning.hints;
  if (loadOperator !== "fitting") return loadOperator;
  const isShort = ({ move: { source } }: Bound): boolean =>
    source.sizeBytes < SHORT_BYTES && source.sizeBytes % LINE_BYTES !== 0;
  return sourceKind === "device" && bound.every(isShort) ? "cs" : "ca";
}

/** A group with what is written of it. */
interface Grouped {
  readonly group: LaunchedGroup;
  readonly record: DataView;
  readonly bound: readonly Bound[];
}

function groupsOf(bound: readonly Bound[], wordsFor: (each: Bound) => TabledWords): readonly Grouped[] {
  const grouped: {
    readonly words: TabledWords;
    readonly record: DataView;
    readonly bound: Bound[];
  }[] = [];
  for (const each of bound) {
    const words = wordsFor(each);
    const record = recordOf(each);
    const last = grouped.at(-1);
    if (last?.words === words && isAlike(last.bound[0] as Bound, each) && sameRecords(last.record, record))
      last.bound.push(each);
    else grouped.push({ words, record, bound: [each] });
  }
  return grouped.map(({ words, record, bound: some }) => {
    const [first] = some as [Bound];
    const [pieces, { sizeBytes }] = [piecesOf(first, words), first.move.source];
    return {
      group: { pools: some.length, sizeBytes, elements: first.elements, words, pieces },
      record,
      bound: some,
    };
  });
}

const isAlike = (a: Bound, b: Bound): boolean =>
  (["source", "target"] as const).every((side) => sameBytes(a.encoded[side].nodes, b.encoded[side].nodes));

const sameRecords = (a: DataView, b: DataView): boolean => sameBytes(bytesIn(a), bytesIn(b));
const bytesIn = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const SIDES = ["source", "target", "count"] as const;

/** Elements, or pieces of them, that a block of threads moves. */
export const groupsPerTile = ({
  threadsPerElement,
  elementsAtOnce,
}: Pick<TabledWords, "threadsPerElement" | "elementsAtOnce">): number =>
  (TABLED_THREADS / threadsPerElement) * elementsAtOnce;

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

/** The widest word that fits an element wherever its tables put it, and the ends of the range. */
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
/** Elements of so many words take half a warp or less, and from so many a block: results/h100/pages-sharing.json. */
const SHORT_WORDS = 32;
const LONG_WORDS = 512;
const BLOCK_UNROLLS = [4, 5, 6, 7, 8] as const;
const WARP_UNROLLS = [6, 7, 8] as const;
/** Short elements whose entries a thread reads at once, where there are many. */
const MOST_AT_ONCE = 4;

/**
 * How many threads share an element, and how many words each has in flight. What counts is that the threads of a warp
 * ask for bytes side by side: pages at odd multiples of 16 bytes lose a fifth where groups of 8 threads have 4 to 6
 * words each, since each group's request ends in sectors of its own. So short elements take a word a thread, which
 * reads the entries of several first; longer ones a warp with many words in flight, which touches few elements at a
 * time, and the longest a block. The bus takes no more than a word a thread: more in flight are slower there.
 */
export function sharing(words: number, mostUnroll: number, isOnBus: boolean): Sharing {
  if (words <= SHORT_WORDS) {
    const threadsPerElement = Math.min(WARP / 2, powerFrom(words));
    return {
      threadsPerElement,
      unroll: 1,
      elementsAtOnce: isOnBus ? 1 : Math.min(mostUnroll, MOST_AT_ONCE),
    };
  }
  if (isOnBus) return { threadsPerElement: TABLED_THREADS, unroll: 1, elementsAtOnce: 1 };
  const threadsPerElement = words < LONG_WORDS ? WARP : TABLED_THREADS;
  const idle = (unroll: number): number => Math.ceil(words / (threadsPerElement * unroll)) * threadsPerElement * unroll;
  const unrolls = words < LONG_WORDS ? WARP_UNROLLS : BLOCK_UNROLLS;
  const best = unrolls.reduce<number>((least, unroll) => (idle(unroll) < idle(least) ? unroll : least), unrolls[0]);
  return { threadsPerElement, unroll: Math.min(best, mostUnroll), elementsAtOnce: 1 };
}

const [SHIFTED_UNROLL, LONG_SHIFTED_UNROLL, LONG_SHIFTED_WORDS] = [2, 3, 64] as const;

/** The same of shifted words, two loads each: more than 2 or 3 in flight are slower, and so is a block of threads. */
export function sharingOfShifted(words: number, mostUnroll: number, isOnBus: boolean): Sharing {
  const shared = sharing(words, mostUnroll, isOnBus);
  if (words <= SHORT_WORDS || isOnBus) return shared;
  const unroll = words <= LONG_SHIFTED_WORDS ? SHIFTED_UNROLL : LONG_SHIFTED_UNROLL;
  return { threadsPerElement: WARP, unroll: Math.min(unroll, mostUnroll), elementsAtOnce: 1 };
}

const powerFrom = (least: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, least)));

const indexOf = ({ tables }: Move, side: "source" | "target"): TabledSideForm["index"] =>
  tables?.[side]?.index ?? "none";

const isDense = (bound: readonly Bound[], side: "source" | "target"): boolean =>
  bound.every(({ move }) => move[side].root.kind === "dense");

const MOST_BLOCKS = 2 ** 31 - 1;
/** Blocks of this kernel that a multiprocessor holds. */
const BLOCKS_OF_A_MULTIPROCESSOR = 8;

/** Blocks take tiles a grid apart: as many as a budget of multiprocessors holds at a time reach all of them. */
export const blocksFor = (tiles: number, { smBudget }: Conditions): number =>
  Math.min(tiles, smBudget === undefined ? MOST_BLOCKS : smBudget * BLOCKS_OF_A_MULTIPROCESSOR);

/** What is written for a launch. */
interface Written {
  readonly grouped: readonly Grouped[];
  readonly tiles: number;
  /** The wider, where there are two. */
  readonly words: TabledWords;
  readonly dense: Readonly<Record<"source" | "target", boolean>>;
}

function blockOf({ lookasideAddress }: TabledFacts, { grouped, tiles, words, dense }: Written): Uint8Array {
  const placesAt = HEADER_BYTES + grouped.length * GROUP_BYTES;
  const pools = grouped.reduce((sum, { bound }) => sum + bound.length, 0);
  const list = new DataView(new ArrayBuffer(placesAt + pools * PLACE_BYTES));
  const nodes = new NodeList(list.byteLength);
  list.setBigUint64(HEADER.lookaside, BigInt(lookasideAddress), true);
  list.setUint32(HEADER.transfers, grouped.length, true);
  list.setUint32(HEADER.tiles, tiles, true);
  let [firstTile, place] = [0, placesAt];
  grouped.forEach(({ group, record, bound }, g) => {
    const { encoded } = bound[0] as Bound;
    const tilesPerPool = tilesOf(group.elements, group);
    record.setUint32(GROUP.firstTile, firstTile, true);
    record.setUint32(GROUP.tilesPerPool, tilesPerPool, true);
    record.setUint32(GROUP.places, place, true);
    record.setUint32(GROUP.pieces, group.pieces, true);
    record.setUint32(GROUP.narrow, group.words === words ? 0 : 1, true);
    if (!dense.source) record.setUint32(GROUP.sourceNode, nodes.at(encoded.source.nodes) + NODE_BYTES, true);
    if (!dense.target) record.setUint32(GROUP.targetNode, nodes.at(encoded.target.nodes) + NODE_BYTES, true);
    bytesIn(list).set(bytesIn(record), HEADER_BYTES + g * GROUP_BYTES);
    firstTile += group.pools * tilesPerPool;
    for (const each of bound) {
      for (const side of ["source", "target"] as const)
        list.setBigInt64(place + PLACE[side], BigInt(placeOf(each, side)), true);
      place += PLACE_BYTES;
    }
  });
  const layouts = nodes.bytes();
  const block = new Uint8Array(list.byteLength + layouts.byteLength);
  block.set(bytesIn(list));
  block.set(layouts, list.byteLength);
  return block;
}

const placeOf = ({ binding, encoded }: Bound, side: "source" | "target"): number =>
  originAddress(binding[side]) + encoded[side].startBytes;

/** What moves of a group have alike. */
function recordOf({ i, move, binding, addresses, firstElement, elements }: Bound): DataView {
  const record = new DataView(new ArrayBuffer(GROUP_BYTES));
  const s64 = (field: number, value: number): void => record.setBigInt64(field, BigInt(value), true);
  s64(GROUP.sizeBytes, move.source.sizeBytes);
  s64(GROUP.firstByte, binding.first);
  s64(GROUP.endByte, binding.first + binding.length);
  s64(GROUP.firstElement, firstElement);
  record.setUint32(GROUP.elements, elements, true);
  s64(GROUP.count, addresses.count);
  for (const side of ["source", "target"] as const) {
    const tabled = tabledSide(i, move, side, binding);
    s64(GROUP[`${side}Stride`], tabled?.table.strideBytes ?? move[side].extentBytes);
    if (tabled === undefined) continue;
    const { least, most } = entryBounds(tabled);
    s64(GROUP[`${side}Table`], addresses[side]);
    s64(GROUP[`${side}Least`], least);
    s64(GROUP[`${side}Most`], most);
  }
  return record;
}
