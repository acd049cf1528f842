import { buildKernel, type Builder, type Kernel, type Value } from "@stowage/ptx";
import { HEADER, HEADER_BYTES, MESSAGE, MESSAGE_BYTES, REGION_BYTES, REGION_LIST_HEADER_BYTES } from "./plan-block.js";
import { planReader, type PlanReader } from "./plan-reader.js";
import { moveChunks } from "./chunks.js";
import { CHUNK_BYTES, MODES, variantName, type Variant, type WordBytes } from "./variant.js";
import { walk, type WalkContext } from "./walk.js";

/** The kernel that packs, unpacks and copies any datatype: the layouts are data in its plan block. */
export function genericKernel(variant: Variant): Kernel {
  const { space, planBytes, maxThreads } = variant;
  const name = variantName(variant);
  if (space === "parameters") {
    return buildKernel(name, { parameters: { plan: { bytes: planBytes, align: 8 } }, maxThreads }, (k) => {
      tiles(k, variant, planReader(k, space, undefined, planBytes));
    });
  }
  const sharedBytes = space === "shared" ? planBytes : 0;
  return buildKernel(name, { parameters: { plan: "u64" }, sharedBytes, maxThreads }, (k, { plan }) => {
    tiles(k, variant, planReader(k, space, plan, planBytes));
  });
}

/** A block takes tiles a grid apart: few blocks, for a budget of multiprocessors, still reach all of them. */
function tiles(k: Builder, variant: Variant, plan: PlanReader): void {
  const start = k.constant("u32", 0);
  const count = plan.u32(start, HEADER.tiles);
  const lookaside = plan.u64(start, HEADER.lookaside);
  const { tableBits, branching } = variant;
  const positionType = variant.positionBits === 32 ? "u32" : "u64";
  const context: WalkContext = { k, plan, lookaside, positionType, tableBits, branching };
  const tile = k.variable("u32", k.special("ctaid.x"));
  k.while(
    () => tile.lt(count),
    () => {
      const message = findMessage(k, plan, tile);
      const local = tile.sub(plan.u32(message, MESSAGE.firstTile));
      body(context, variant, message, local);
      k.if(local.eq(0), () => edges(context, variant, message));
      tile.set(tile.add(k.special("nctaid.x")));
    },
  );
}

/** The last message that begins at or before a tile: the same for every thread of a block. */
function findMessage(k: Builder, plan: PlanReader, tile: Value): Value {
  const low = k.variable("u32", 0);
  const high = k.variable("u32", plan.u32(k.constant("u32", 0), HEADER.messages).sub(1));
  k.while(
    () => low.lt(high),
    () => {
      const middle = low.add(high).add(1).shr(1);
      const after = plan.u32(middle.mul(MESSAGE_BYTES).add(HEADER_BYTES), MESSAGE.firstTile).le(tile);
      high.set(after.select(high, middle.sub(1)));
      low.set(after.select(middle, low));
    },
  );
  return low.mul(MESSAGE_BYTES).add(HEADER_BYTES);
}

function body(context: WalkContext, variant: Variant, message: Value, local: Value): void {
  const { k, plan } = context;
  const words = plan.u64(message, MESSAGE.words);
  const mode = plan.u32(message, MESSAGE.mode);
  for (const each of variant.modes) {
    const some = words.ne(0);
    const chosen = variant.modes.length === 1 ? some : some.and(mode.eq(MODES.indexOf(each)));
    k.if(chosen, () => {
      if (typeof each === "number") moveWords(context, variant, message, local, each);
      else moveChunks(context, each, message, local);
    });
  }
}

/** A tile's whole words: unroll × threads of them, a grid-neighbour's next to one's own. */
function moveWords(context: WalkContext, variant: Variant, message: Value, local: Value, width: WordBytes): void {
  const { k, plan, positionType } = context;
  const threads = k.special("ntid.x");
  const words = plan.u64(message, MESSAGE.words).to(positionType);
  const bodyFirst = plan.u64(message, MESSAGE.bodyFirst).to(positionType);
  const first = local.mul(variant.unroll).to(positionType).mul(threads.to(positionType)).add(k.special("tid.x").to(positionType));
  const indices: Value[] = [];
  for (let i = 0; i < variant.unroll; i++) indices.push(i === 0 ? first : (indices[i - 1] as Value).add(threads.to(positionType)));
  // Threads past the end read the last word again, so that no branch parts the loads; they store nothing.
  const last = words.sub(1);
  const positions = indices.map((index) => index.min(last).mulAdd(width, bodyFirst));
  const sources = sideAddresses(context, variant, message, "source", positions);
  const targets = sideAddresses(context, variant, message, "target", positions);
  const loaded = sources.map((source) => loadWord(k, source, width));
  loaded.forEach((values, i) => {
    k.if((indices[i] as Value).lt(words), () => storeWord(k, targets[i] as Value, values, width));
  });
}

/** The few bytes before the first and behind the last whole word, a thread each. */
function edges(context: WalkContext, variant: Variant, message: Value): void {
  const { k, plan, positionType } = context;
  const thread = k.special("tid.x");
  const head = plan.u32(message, MESSAGE.headBytes);
  const tail = plan.u32(message, MESSAGE.tailBytes);
  k.if(thread.lt(head.add(tail)), () => {
    const bodyFirst = plan.u64(message, MESSAGE.bodyFirst);
    // Modes past the words move chunks, as long as the longest word.
    const stepLog2 = plan.u32(message, MESSAGE.mode).min(Math.log2(CHUNK_BYTES));
    const bodyBytes = plan.u64(message, MESSAGE.words).shl(stepLog2);
    const fromStart = bodyFirst.sub(head.to("u64")).add(thread.to("u64"));
    const position = thread.lt(head).select(fromStart, fromStart.add(bodyBytes)).to(positionType);
    const [source] = sideAddresses(context, variant, message, "source", [position]);
    const [target] = sideAddresses(context, variant, message, "target", [position]);
    if (source === undefined || target === undefined) throw new TypeError("edge: expected an address a side");
    storeWord(k, target, loadWord(k, source, 1), 1);
  });
}

function sideAddresses(
  context: WalkContext,
  variant: Variant,
  message: Value,
  side: "source" | "target",
  positions: readonly Value[],
): readonly Value[] {
  const { plan } = context;
  const base = plan.u64(message, MESSAGE[side]);
  const offsets = walk(context, plan.u32(message, MESSAGE[`${side}Node`]), positions);
  const addresses = offsets.map((offset) => base.add(offset));
  return variant.regions ? inRegions(context, plan.u32(message, MESSAGE[`${side}Regions`]), addresses) : addresses;
}

/** Moves each address by what the region it falls into says: the last one that starts at or before it. */
function inRegions({ k, plan }: WalkContext, list: Value, addresses: readonly Value[]): readonly Value[] {
  const placed = addresses.map((address) => k.variable("u64", address));
  k.if(list.ne(0), () => {
    const index = k.variable("u32", 0);
    const count = plan.u32(list, 0);
    k.while(
      () => index.lt(count),
      () => {
        const region = index.mul(REGION_BYTES).add(list);
        const start = plan.u64(region, REGION_LIST_HEADER_BYTES).to("s64");
        const delta = plan.u64(region, REGION_LIST_HEADER_BYTES + 8);
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
const STREAMED = { nonCoherent: true } as const;

function loadWord(k: Builder, address: Value, width: WordBytes): readonly Value[] {
  if (width === 16) return k.loadVector("global", address, { bits: 64, lanes: 2 }, STREAMED);
  return [k.load("global", address, { bits: bitsOf(width) }, STREAMED)];
}

function storeWord(k: Builder, address: Value, values: readonly Value[], width: WordBytes): void {
  k.store("global", address, values, { bits: width === 16 ? 64 : bitsOf(width) });
}

const bitsOf = (width: 1 | 2 | 4 | 8): 8 | 16 | 32 | 64 => ({ 1: 8, 2: 16, 4: 32, 8: 64 } as const)[width];
