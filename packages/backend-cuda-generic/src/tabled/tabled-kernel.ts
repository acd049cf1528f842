import { buildKernel, divideByConstant, type Builder, type Kernel, type Value } from "@stowage/ptx";
import { findTransfer, loadWord, storeWord } from "../kernel/generic-kernel.js";
import { HEADER, HEADER_BYTES } from "../kernel/plan-block.js";
import { deviceReader, parameterReader, type PlanReader } from "../kernel/plan-reader.js";
import { denseWalker, recordWalker, type Walker, type WalkContext } from "../kernel/walk.js";
import { TABLED, TABLED_BYTES } from "./record.js";
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
      const record = recordOf(k, variant, list, tile);
      const local = variant.moves === "one" ? tile : tile.sub(list.u32(record, TABLED.firstTile));
      const moveAs = (words: TabledWords): void =>
        moveTile({ k, list, variant: { ...variant, ...words }, record, lookaside, fault }, local);
      const { narrow } = variant;
      if (narrow === undefined) moveAs(variant);
      else
        k.if(
          list.u32(record, TABLED.narrow).eq(0),
          () => moveAs(variant),
          () => moveAs(narrow),
        );
      tile.set(tile.add(k.special("nctaid.x")));
    },
  );
}

/** The record of the move that a tile is of. */
function recordOf(k: Builder, { moves }: TabledVariant, list: PlanReader, tile: Value): Value {
  if (moves === "one") return k.constant("u32", HEADER_BYTES);
  if (moves === "searched") return findTransfer(k, list, tile, TABLED_BYTES);
  // Where all have as many tiles, the second move begins behind so many.
  const each = list.u32(k.constant("u32", HEADER_BYTES + TABLED_BYTES), TABLED.firstTile);
  return tile.div(each).mul(TABLED_BYTES).add(HEADER_BYTES);
}

/** What moving a tile takes. */
interface TabledMove {
  readonly k: Builder;
  readonly list: PlanReader;
  readonly variant: TabledVariant;
  /** The move's record. */
  readonly record: Value;
  readonly lookaside: Value;
  readonly fault: Value;
}

function moveTile(move: TabledMove, tile: Value): void {
  const { k, list, variant, record } = move;
  const { threadsPerElement, pieces, counted } = variant;
  const shift = Math.log2(threadsPerElement);
  const thread = k.special("tid.x");
  const group = tile.mul(TABLED_THREADS >> shift).add(thread.shr(shift));
  const each = pieces === "differing" ? list.u32(record, TABLED.pieces) : pieces;
  const index = typeof each === "number" ? divideByConstant(group, each) : group.div(each);
  const piece = each === 1 ? k.constant("u32", 0) : group.sub(index.mul(each));
  k.if(index.lt(list.u32(record, TABLED.elements)), () => {
    const element = list.u64(record, TABLED.firstElement).add(index.to("u64"));
    const moveIt = (): void => moveElement(move, element, piece, thread.and(threadsPerElement - 1));
    if (!counted) return moveIt();
    const most = k.load("global", list.u64(record, TABLED.count), { bits: 32 }).to("u64");
    k.if(element.lt(most), moveIt);
  });
}

/** One piece of an element, by the thread with this number among the element's. */
function moveElement(move: TabledMove, element: Value, piece: Value, lane: Value): void {
  const { k, variant, fault } = move;
  const [source, target] = [placeOf(move, "source", element), placeOf(move, "target", element)];
  const moveWordsOf = (): void => moveWords(move, element, piece, lane, source.address, target.address);
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

function placeOf({ k, list, variant, record }: TabledMove, side: "source" | "target", element: Value): ElementPlace {
  const base = list.u64(record, TABLED[side]);
  const stride = list.u64(record, TABLED[`${side}Stride`]);
  const { index } = variant[side];
  if (index === "none") return { address: element.mulAdd(stride, base) };
  const table = list.u64(record, TABLED[`${side}Table`]);
  const place = table.add(element.shl(index === "u32" ? 2 : 3));
  const entry = k.load("global", place, { bits: index === "u32" ? 32 : 64 }).to("u64");
  const signed = entry.to("s64");
  const least = list.u64(record, TABLED[`${side}Least`]).to("s64");
  const most = list.u64(record, TABLED[`${side}Most`]).to("s64");
  return {
    address: entry.mulAdd(stride, base),
    within: signed.ge(least).and(signed.le(most)),
    isSkipped: signed.eq(k.constant("s64", SKIPPED[index])),
  };
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
  { k, list, variant, record }: TabledMove,
  element: Value,
): { readonly low?: Value; readonly end: Value } {
  const type = variant.positionBits === 32 ? "u32" : "u64";
  const size = list.u64(record, TABLED.sizeBytes);
  if (!variant.isPart) return { end: size.to(type) };
  const start = element.mul(size);
  const first = list.u64(record, TABLED.firstByte).max(start).sub(start);
  const end = list.u64(record, TABLED.endByte).sub(start).min(size);
  return { low: k.variable(type, first.to(type)), end: k.variable(type, end.to(type)) };
}

function walkerOf(move: TabledMove, side: "source" | "target"): Walker {
  const { k, list, variant, record, lookaside } = move;
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
  return recordWalker(context, () => list.u32(record, TABLED[`${side}Node`]));
}
