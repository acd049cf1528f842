import { buildKernel, divideByConstant, type Builder, type Kernel, type Value } from "@stowage/ptx";
import { findTransfer, loadWord, storeWord } from "../kernel/generic-kernel.js";
import { HEADER, HEADER_BYTES } from "../kernel/plan-block.js";
import { deviceReader, parameterReader, type PlanReader } from "../kernel/plan-reader.js";
import { denseWalker, recordWalker, type Walker, type WalkContext } from "../kernel/walk.js";
import { GROUP, GROUP_BYTES, PLACE, PLACE_BYTES } from "./record.js";
import { moveBytes, moveShifted } from "./shifted-words.js";
import { TABLED_THREADS, tabledName, type TabledVariant, type TabledWords } from "./variant.js";

const SKIPPED = { u32: 0xffff_ffffn, i64: -1n } as const;

/**
 * The kernel of moves whose elements lie where tables say. Some threads share an element: they read its entries
 * together, then move its words, so that no word pays for a search or a division by the element's size. An entry that
 * leads outside its memory moves nothing; its element's number, from 1 on, is left at `fault`.
 */
export function tabledKernel(variant: TabledVariant): Kernel {
  const { planBytes } = variant;
  const [name, maxThreads] = [tabledName(variant), TABLED_THREADS];
  if (planBytes > 0)
    return buildKernel(
      name,
      { parameters: { plan: { bytes: planBytes, align: 16 }, fault: "u64" }, maxThreads },
      (k, at) => tiles(k, variant, parameterReader(k, "plan"), at.fault),
    );
  return buildKernel(name, { parameters: { plan: "u64", fault: "u64" }, maxThreads }, (k, at) =>
    tiles(k, variant, deviceReader(k, "memory", { plan: at.plan, bytes: k.constant("u32", 0) }), at.fault),
  );
}

/** A block takes tiles a grid apart. */
function tiles(k: Builder, variant: TabledVariant, list: PlanReader, fault: Value): void {
  const start = k.constant("u32", 0);
  const count = list.u32(start, HEADER.tiles);
  const lookaside = list.u64(start, HEADER.lookaside);
  const tile = k.variable("u32", k.special("ctaid.x"));
  k.while(
    () => tile.lt(count),
    () => {
      const place = poolOf(k, variant, list, tile);
      const moveAs = (words: TabledWords): void =>
        moveTile({ k, list, variant: { ...variant, ...words }, ...place, lookaside, fault });
      const { narrow } = variant;
      if (narrow === undefined) moveAs(variant);
      else
        k.if(
          list.u32(place.group, GROUP.narrow).eq(0),
          () => moveAs(variant),
          () => moveAs(narrow),
        );
      tile.set(tile.add(k.special("nctaid.x")));
    },
  );
}

/** The pool that a tile is of. */
interface TiledPool {
  /** Its group's record, and its place. */
  readonly group: Value;
  readonly place: Value;
  /** The tile's number among the pool's. */
  readonly tile: Value;
}

function poolOf(k: Builder, { among }: TabledVariant, list: PlanReader, tile: Value): TiledPool {
  const first = { group: k.constant("u32", HEADER_BYTES), place: k.constant("u32", HEADER_BYTES + GROUP_BYTES) };
  if (among === "one") return { ...first, tile };
  const group = among === "pools" ? first.group : findTransfer(k, list, tile, GROUP_BYTES);
  const inGroup = among === "pools" ? tile : tile.sub(list.u32(group, GROUP.firstTile));
  const each = list.u32(group, GROUP.tilesPerPool);
  const pool = inGroup.div(each);
  const places = among === "pools" ? first.place : list.u32(group, GROUP.places);
  return { group, place: pool.mul(PLACE_BYTES).add(places), tile: inGroup.sub(pool.mul(each)) };
}

/** What moving a tile takes. */
interface TabledMove extends TiledPool {
  readonly k: Builder;
  readonly list: PlanReader;
  readonly variant: TabledVariant;
  readonly lookaside: Value;
  readonly fault: Value;
}

/** What the threads that share an element move: one, or a piece of it. */
interface Part {
  readonly index: Value;
  readonly element: Value;
  readonly piece: Value;
  readonly entries: Entries;
}
type Entries = Readonly<Partial<Record<"source" | "target", Value>>>;

function moveTile(move: TabledMove): void {
  const { k, list, variant, group } = move;
  const { threadsPerElement, elementsAtOnce, counted } = variant;
  const elements = list.u32(group, GROUP.elements);
  const lane = k.special("tid.x").and(threadsPerElement - 1);
  const most = (): Value => k.load("global", list.u64(group, GROUP.count), { bits: 32 }).to("u64");
  const parts = Array.from({ length: elementsAtOnce }, (_, i) => partOf(move, i, elements));
  for (const part of parts)
    k.if(part.index.lt(elements), () => {
      const moveIt = (): void => {
        const entries = elementsAtOnce === 1 ? entriesOf(move, part.element) : part.entries;
        moveElement(move, { ...part, entries }, lane);
      };
      if (counted) k.if(part.element.lt(most()), moveIt);
      else moveIt();
    });
}

/** Where a thread has several parts, all read their entries before one moves: those behind the end, the last one's. */
function partOf(move: TabledMove, i: number, elements: Value): Part {
  const { k, list, variant, group, tile } = move;
  const { threadsPerElement, elementsAtOnce, pieces } = variant;
  const shift = Math.log2(threadsPerElement);
  const groups = TABLED_THREADS >> shift;
  const held = tile
    .mul(groups * elementsAtOnce)
    .add(i * groups)
    .add(k.special("tid.x").shr(shift));
  const each = pieces === "differing" ? list.u32(group, GROUP.pieces) : pieces;
  const index = typeof each === "number" ? divideByConstant(held, each) : held.div(each);
  const piece = each === 1 ? k.constant("u32", 0) : held.sub(index.mul(each));
  const first = list.u64(group, GROUP.firstElement);
  if (elementsAtOnce === 1) return { index, piece, element: first.add(index.to("u64")), entries: {} };
  const element = first.add(index.min(elements.sub(1)).to("u64"));
  return { index, piece, element, entries: entriesOf(move, element) };
}

function entriesOf({ k, list, variant, group }: TabledMove, element: Value): Entries {
  const read = (side: "source" | "target"): Entries => {
    const { index } = variant[side];
    if (index === "none") return {};
    const place = list.u64(group, GROUP[`${side}Table`]).add(element.shl(index === "u32" ? 2 : 3));
    return { [side]: k.load("global", place, { bits: index === "u32" ? 32 : 64 }).to("u64") };
  };
  return { ...read("source"), ...read("target") };
}

/** A part, by the thread with this number among those that share it. */
function moveElement(move: TabledMove, part: Part, lane: Value): void {
  const { element, piece, entries } = part;
  const { k, variant, fault } = move;
  const [source, target] = [placeOf(move, "source", element, entries), placeOf(move, "target", element, entries)];
  const moveWordsOf = variant.shifts
    ? (): void => moveRun(move, part, lane, source.address, target.address)
    : (): void => moveWords(move, element, piece, lane, source.address, target.address);
  const within = both(source.within, target.within);
  const found = (): void => {
    if (within === undefined) moveWordsOf();
    else
      k.if(within, moveWordsOf, () => {
        k.store("global", fault, [element.add(1)], { bits: 64 });
      });
  };
  const isSkipped = variant.skips ? either(source.isSkipped, target.isSkipped) : undefined;
  if (isSkipped === undefined) found();
  else k.if(isSkipped, () => undefined, found);
}

const both = (a: Value | undefined, b: Value | undefined): Value | undefined => (a && b ? a.and(b) : (a ?? b));
const either = (a: Value | undefined, b: Value | undefined): Value | undefined => (a && b ? a.or(b) : (a ?? b));

/** Where an element of a side lies; whether its entry is a right one, and whether it says that the element stays. */
interface ElementPlace {
  readonly address: Value;
  readonly within?: Value;
  readonly isSkipped?: Value;
}

function placeOf(
  { k, list, variant, group, place }: TabledMove,
  side: "source" | "target",
  element: Value,
  entries: Entries,
): ElementPlace {
  const base = list.u64(place, PLACE[side]);
  const stride = list.u64(group, GROUP[`${side}Stride`]);
  const { index } = variant[side];
  const entry = entries[side];
  if (index === "none" || entry === undefined) return { address: element.mulAdd(stride, base) };
  const signed = entry.to("s64");
  const least = list.u64(group, GROUP[`${side}Least`]).to("s64");
  const most = list.u64(group, GROUP[`${side}Most`]).to("s64");
  return {
    address: entry.mulAdd(stride, base),
    within: signed.ge(least).and(signed.le(most)),
    isSkipped: signed.eq(k.constant("s64", SKIPPED[index])),
  };
}

/**
 * An element that is one run on both sides, by shifted words. Of the last that the source's memory holds, no word may
 * reach behind it: that one moves a byte at a time.
 */
function moveRun(move: TabledMove, { element, piece, entries }: Part, lane: Value, source: Value, target: Value): void {
  const { k, list, variant, group } = move;
  const { threadsPerElement: threads, unroll, hints } = variant;
  const sizeBytes = list.u64(group, GROUP.sizeBytes).to("u32");
  const run = { k, source, target, sizeBytes, piece, lane, threads, unroll, hints };
  const end = (): Value => list.u64(group, GROUP.firstElement).add(list.u32(group, GROUP.elements).to("u64"));
  const isLast = entries.source?.eq(list.u64(group, GROUP.sourceMost)) ?? element.add(1).eq(end());
  const pieces = variant.pieces === "differing" ? list.u32(group, GROUP.pieces) : variant.pieces;
  k.if(
    isLast,
    () => moveBytes(run, pieces),
    () => moveShifted(run),
  );
}

function moveWords(
  move: TabledMove,
  element: Value,
  piece: Value,
  lane: Value,
  sourceAddress: Value,
  targetAddress: Value,
): void {
  const { k, variant } = move;
  const { wordBytes, threadsPerElement, unroll, positionBits, hints } = variant;
  const type = positionBits === 32 ? "u32" : "u64";
  const { low, end } = boundsOf(move, element);
  const first = piece
    .mul(unroll * threadsPerElement)
    .add(lane)
    .to(type)
    .mul(wordBytes);
  const positions = [first];
  while (positions.length < unroll) positions.push((positions.at(-1) as Value).add(threadsPerElement * wordBytes));
  // Words outside read the last one again, so that no branch parts the loads; they are not stored.
  const last = end.sub(wordBytes);
  const read = positions.map((position) => (low === undefined ? position : position.max(low)).min(last));
  const sources = walkerOf(move, "source").offsets(read);
  const targets = walkerOf(move, "target").offsets(read);
  const loaded = sources.map((offset) => loadWord(k, sourceAddress.add(offset), wordBytes, hints));
  loaded.forEach((values, i) => {
    const position = positions[i] as Value;
    const isIn = low === undefined ? position.lt(end) : position.ge(low).and(position.lt(end));
    k.if(isIn, () => storeWord(k, targetAddress.add(targets[i] as Value), values, wordBytes, hints));
  });
}

/** The packed bytes of an element that the range holds: all, or from `low` on, to the end. */
function boundsOf(
  { k, list, variant, group }: TabledMove,
  element: Value,
): { readonly low?: Value; readonly end: Value } {
  const type = variant.positionBits === 32 ? "u32" : "u64";
  const size = list.u64(group, GROUP.sizeBytes);
  if (!variant.isPart) return { end: size.to(type) };
  const start = element.mul(size);
  const first = list.u64(group, GROUP.firstByte).max(start).sub(start);
  const end = list.u64(group, GROUP.endByte).sub(start).min(size);
  return { low: k.variable(type, first.to(type)), end: k.variable(type, end.to(type)) };
}

function walkerOf(move: TabledMove, side: "source" | "target"): Walker {
  const { k, list, variant, group, lookaside } = move;
  const { tableBits, branching, searched, positionBits } = variant;
  if (variant[side].dense) return denseWalker;
  const positionType = positionBits === 32 ? "u32" : "u64";
  const context: WalkContext = {
    k,
    list,
    nodes: list,
    lookaside,
    positionType,
    tableBits,
    branching,
    searched,
    traverses: false,
  };
  return recordWalker(context, () => list.u32(group, GROUP[`${side}Node`]));
}
