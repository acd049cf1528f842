import { buildKernel, type Builder, type Kernel, type Value } from "@stowage/ptx";
import {
  HEADER,
  HEADER_BYTES,
  TRANSFER,
  TRANSFER_BYTES,
  REGION_BYTES,
  REGION_LIST_HEADER_BYTES,
} from "./plan-block.js";
import { wholeBytesOf } from "@stowage/backend-api";
import { cellBytes, combineCell, loadCell } from "./combine-cell.js";
import { deviceReader, parameterReader, type PlanReader } from "./plan-reader.js";
import { moveChunks, moveRuns } from "./chunks.js";
import { foldAddresses } from "./traversal.js";
import { staticWalker, type StaticSide } from "./static-walk.js";
import { CHUNK_BYTES, MODES, variantName, type DataHints, type Mode, type Variant, type WordBytes } from "./variant.js";
import { denseWalker, recordWalker, type Walker, type WalkContext } from "./walk.js";

/** The layouts of some transfers, built into a specialised kernel; their mode is then known, too. */
export interface BuiltIn {
  readonly mode: Mode;
  readonly source: StaticSide;
  readonly target: StaticSide;
}

/** The kernel that packs, unpacks and copies any datatype: the layouts are data in its plan block. */
export const genericKernel = (variant: Variant): Kernel => kernelOf(variantName(variant), variant, []);

/** The kernel with layouts built in: each transfer says which of them is its own. */
export const specialisedKernel = (variant: Variant, builtIn: readonly BuiltIn[]): Kernel =>
  kernelOf("specialised", variant, builtIn);

/** What a launch reads, from wherever it lies. */
interface Readers {
  readonly list: PlanReader;
  readonly nodes: PlanReader;
}

function kernelOf(name: string, variant: Variant, builtIn: readonly BuiltIn[]): Kernel {
  const { space, planBytes, listBytes = 0, maxThreads } = variant;
  if (space === "parameters") {
    return buildKernel(name, { parameters: { plan: { bytes: planBytes, align: 16 } }, maxThreads }, (k) => {
      const plan = parameterReader(k, "plan");
      tiles(k, variant, { list: plan, nodes: plan }, builtIn);
    });
  }
  const sharedBytes = space === "shared" ? planBytes : 0;
  const place = { plan: "u64", bytes: "u32" } as const;
  if (listBytes === 0) {
    return buildKernel(name, { parameters: place, sharedBytes, maxThreads }, (k, at) => {
      const plan = deviceReader(k, space, at);
      tiles(k, variant, { list: plan, nodes: plan }, builtIn);
    });
  }
  const parameters = { list: { bytes: listBytes, align: 16 }, ...place } as const;
  return buildKernel(name, { parameters, sharedBytes, maxThreads }, (k, at) => {
    tiles(k, variant, { list: parameterReader(k, "list"), nodes: deviceReader(k, space, at) }, builtIn);
  });
}

/** A block takes tiles a grid apart: few blocks, for a budget of multiprocessors, still reach all of them. */
function tiles(k: Builder, variant: Variant, readers: Readers, builtIn: readonly BuiltIn[]): void {
  const { list } = readers;
  const start = k.constant("u32", 0);
  const count = list.u32(start, HEADER.tiles);
  const lookaside = list.u64(start, HEADER.lookaside);
  const { tableBits, branching, searched, traverses = false } = variant;
  const positionType = variant.positionBits === 32 ? "u32" : "u64";
  const context: WalkContext = { k, ...readers, lookaside, positionType, tableBits, branching, searched, traverses };
  const tile = k.variable("u32", k.special("ctaid.x"));
  k.while(
    () => tile.lt(count),
    () => {
      const transfer = variant.alone === true ? k.constant("u32", HEADER_BYTES) : findTransfer(k, list, tile);
      const local = tile.sub(list.u32(transfer, TRANSFER.firstTile));
      const move = { ...context, variant, transfer, local };
      if (builtIn.length === 0) anyMode(move, recordSides(move));
      else
        choose(k, list.u32(transfer, TRANSFER.builtIn), 0, builtIn, (each) => {
          const sides = { source: staticWalker(context, each.source), target: staticWalker(context, each.target) };
          k.if(list.u64(transfer, TRANSFER.words).ne(0), () => inMode(move, each.mode, sides));
          k.if(local.eq(0), () => edges(move, sides));
        });
      tile.set(tile.add(k.special("nctaid.x")));
    },
  );
}

/**
 * The record of the last transfer that begins at or before a tile: the same for every thread of a block. Each begins
 * with its first tile.
 */
export function findTransfer(k: Builder, list: PlanReader, tile: Value, recordBytes: number = TRANSFER_BYTES): Value {
  const recordOf = (transfer: Value): Value => transfer.mul(recordBytes).add(HEADER_BYTES);
  const low = k.variable("u32", 0);
  const high = k.variable("u32", list.u32(k.constant("u32", 0), HEADER.transfers).sub(1));
  k.while(
    () => low.lt(high),
    () => {
      const middle = low.add(high).add(1).shr(1);
      const after = list.u32(recordOf(middle), TRANSFER.firstTile).le(tile);
      high.set(after.select(high, middle.sub(1)));
      low.set(after.select(middle, low));
    },
  );
  return recordOf(low);
}

/** Runs the code of the layouts with this number: by halves. */
function choose(k: Builder, index: Value, from: number, some: readonly BuiltIn[], then: (each: BuiltIn) => void): void {
  const [first] = some;
  if (first === undefined) return;
  if (some.length === 1) return then(first);
  const middle = some.length >> 1;
  k.if(
    index.lt(from + middle),
    () => choose(k, index, from, some.slice(0, middle), then),
    () => choose(k, index, from + middle, some.slice(middle), then),
  );
}

/** What moving one tile takes. */
interface TileMove extends WalkContext {
  readonly variant: Variant;
  readonly transfer: Value;
  readonly local: Value;
}

interface Sides {
  readonly source: Walker;
  readonly target: Walker;
}

const recordSides = (move: TileMove): Sides => ({
  source: recordSide(move, "source"),
  target: recordSide(move, "target"),
});

const recordSide = (move: TileMove, side: keyof Sides): Walker =>
  move.variant.denseSide === side
    ? denseWalker
    : recordWalker(move, () => move.list.u32(move.transfer, TRANSFER[`${side}Node`]));

function anyMode(move: TileMove, sides: Sides): void {
  const { k, list, variant, transfer, local } = move;
  const mode = list.u32(transfer, TRANSFER.mode);
  for (const each of variant.modes) {
    const some = list.u64(transfer, TRANSFER.words).ne(0);
    const chosen = variant.modes.length === 1 ? some : some.and(mode.eq(MODES.indexOf(each)));
    k.if(chosen, () => inMode(move, each, sides));
  }
  k.if(local.eq(0), () => edges(move, sides));
}

function inMode(move: TileMove, mode: Mode, sides: Sides): void {
  if (typeof mode === "number") moveWords(move, mode, sides);
  else if (mode === "scatterRuns") moveRuns(move, move.transfer, move.local, sides.target);
  else moveChunks(move, mode, move.transfer, move.local, mode === "gather" ? sides.source : sides.target);
}

/** A tile's whole words: unroll × threads of them, a grid-neighbour's next to one's own. */
function moveWords(move: TileMove, width: WordBytes, sides: Sides): void {
  const { k, list, positionType, variant, transfer, local } = move;
  const { reduction } = variant;
  const stepBytes = reduction === undefined ? width : cellBytes(reduction, width);
  const threads = k.special("ntid.x");
  const words = list.u64(transfer, TRANSFER.words).to(positionType);
  const bodyFirst = list.u64(transfer, TRANSFER.bodyFirst).to(positionType);
  const wide = threads.to(positionType);
  const first = local.mul(variant.unroll).to(positionType).mul(wide).add(k.special("tid.x").to(positionType));
  const indices: Value[] = [first];
  while (indices.length < variant.unroll) indices.push((indices.at(-1) ?? first).add(wide));
  // Threads past the end read the last word again, so that no branch parts the loads; they store nothing.
  const last = words.sub(1);
  const positions = indices.map((index) => index.min(last).mulAdd(stepBytes, bodyFirst));
  const sources = sideAddresses(move, "source", positions, sides);
  const targets = sideAddresses(move, "target", positions, sides);
  if (move.traverses) return foldAddresses(k, [...sources, ...targets]);
  if (reduction !== undefined) {
    sources.forEach((source, i) => {
      k.if((indices[i] as Value).lt(words), () => {
        const arrived = loadCell(k, source, stepBytes, width);
        combineCell(k, reduction, arrived, targets[i] as Value, width);
      });
    });
    return;
  }
  const loaded = sources.map((source) => loadWord(k, source, width, variant.hints));
  loaded.forEach((values, i) => {
    k.if((indices[i] as Value).lt(words), () => storeWord(k, targets[i] as Value, values, width, variant.hints));
  });
}

/** The few bytes before the first and behind the last whole word, a thread each. */
function edges(move: TileMove, sides: Sides): void {
  const { k, list, positionType, transfer } = move;
  const thread = k.special("tid.x");
  const head = list.u32(transfer, TRANSFER.headBytes);
  const tail = list.u32(transfer, TRANSFER.tailBytes);
  const { reduction } = move.variant;
  const within = thread.lt(head.add(tail));
  // An element lies whole before or behind the words: the thread of its first byte takes all of it.
  const taken = reduction === undefined ? within : within.and(thread.and(wholeBytesOf(reduction) - 1).eq(0));
  k.if(taken, () => {
    const bodyFirst = list.u64(transfer, TRANSFER.bodyFirst);
    // Modes past the words move chunks, as long as the longest word.
    const stepLog2 = list.u32(transfer, TRANSFER.mode).min(Math.log2(CHUNK_BYTES));
    const bodyBytes = list.u64(transfer, TRANSFER.words).shl(stepLog2);
    const fromStart = bodyFirst.sub(head.to("u64")).add(thread.to("u64"));
    const position = thread.lt(head).select(fromStart, fromStart.add(bodyBytes)).to(positionType);
    const [source] = sideAddresses(move, "source", [position], sides);
    const [target] = sideAddresses(move, "target", [position], sides);
    if (source === undefined || target === undefined) throw new TypeError("edge: expected an address a side");
    if (move.traverses) return foldAddresses(k, [source, target]);
    if (reduction === undefined) {
      return storeWord(k, target, loadWord(k, source, 1, move.variant.hints), 1, move.variant.hints);
    }
    combineCell(k, reduction, loadCell(k, source, wholeBytesOf(reduction), 1), target, 1);
  });
}

function sideAddresses(move: TileMove, side: keyof Sides, positions: readonly Value[], sides: Sides): readonly Value[] {
  const { list, transfer, variant } = move;
  const base = list.u64(transfer, TRANSFER[side]);
  const addresses = sides[side].offsets(positions).map((offset) => base.add(offset));
  return variant.regions ? inRegions(move, list.u32(transfer, TRANSFER[`${side}Regions`]), addresses) : addresses;
}

/** Moves each address by what the region it falls into says: the last one that starts at or before it. */
function inRegions({ k, list }: WalkContext, regions: Value, addresses: readonly Value[]): readonly Value[] {
  const placed = addresses.map((address) => k.variable("u64", address));
  k.if(regions.ne(0), () => {
    const index = k.variable("u32", 0);
    const count = list.u32(regions, 0);
    k.while(
      () => index.lt(count),
      () => {
        const region = index.mul(REGION_BYTES).add(regions);
        const start = list.u64(region, REGION_LIST_HEADER_BYTES).to("s64");
        const delta = list.u64(region, REGION_LIST_HEADER_BYTES + 8);
        placed.forEach((variable, i) => {
          const address = addresses[i] as Value;
          variable.set(address.to("s64").ge(start).select(address.add(delta), variable));
        });
        index.set(index.add(1));
      },
    );
  });
  return placed;
}

/** The source's bytes do not change while a plan runs: a target that overlaps it is undefined anyway. */
export function loadWord(
  k: Builder,
  address: Value,
  width: WordBytes,
  { bypassL1, loadOperator }: DataHints,
): readonly Value[] {
  const hints = {
    nonCoherent: true,
    ...(bypassL1 ? ({ l1: "no_allocate" } as const) : {}),
    ...(loadOperator === "cs" ? { operator: loadOperator } : {}),
  };
  if (width === 16) return k.loadVector("global", address, { bits: 64, lanes: 2 }, hints);
  return [k.load("global", address, { bits: bitsOf(width) }, hints)];
}

export function storeWord(
  k: Builder,
  address: Value,
  values: readonly Value[],
  width: WordBytes,
  hints: DataHints,
): void {
  const { storeOperator } = hints;
  const operator = storeOperator === "wb" ? {} : { operator: storeOperator };
  k.store("global", address, values, { bits: width === 16 ? 64 : bitsOf(width) }, operator);
}

const bitsOf = (width: 1 | 2 | 4 | 8): 8 | 16 | 32 | 64 => ({ 1: 8, 2: 16, 4: 32, 8: 64 } as const)[width];
