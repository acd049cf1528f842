import { forEachRun, isDenseLayout, type Layout } from "@stowage/ir";
import { requireBinding, type Binding, type Span } from "../binding.js";
import { BindingError } from "../errors.js";
import { isAddressSpace, type Buffer } from "../memory.js";
import { requireMove, type Move } from "../move.js";
import { reachOf } from "../reach.js";
import { regionAt } from "../region-at.js";
import { checkRange } from "./check-range.js";

/** Blocks, of both sides together, that are compared one by one where the reaches of two sides meet. */
const MOST_BLOCKS = 2 ** 18;

/** Bytes [low, high) of one array buffer, or of the machine's addresses. */
interface Stretch {
  readonly space: object;
  readonly low: number;
  readonly high: number;
}

/**
 * Checks that the bytes that move `i` reads and those that it writes are apart: no order of moving them is right where
 * they are not. Sides whose reaches do not meet are apart. Where they meet, as those of two columns of one matrix do,
 * every block is compared. Memory known by its view alone is compared with other views, memory with an address with
 * other addresses.
 *
 * Throws a BindingError for sides that share a byte, for sides whose reaches meet and that have more than 2^18 blocks
 * together, and for a count or a range that is not one of the move's.
 */
export function checkApart(i: number, move: Move, binding: Binding): void {
  checkRange(i, requireMove(move), requireBinding(i, binding), { count: "any" });
  refuseShared(i, move, binding);
}

/** Refuses sides that share a byte, of a binding that has been checked in all else. */
export function refuseShared(i: number, move: Move, binding: Binding): void {
  if (binding.length === 0) return;
  const { source, target } = binding;
  if (firstShared(reachIn(move.source, source, binding), reachIn(move.target, target, binding)) === undefined) return;
  if (blocksOf(move.source, binding) + blocksOf(move.target, binding) > MOST_BLOCKS)
    refuse(i, "memory whose reach is apart from the source's", "one that meets it");
  const shared = firstShared(blocksIn(move.source, source, binding), blocksIn(move.target, target, binding));
  if (shared !== undefined) refuse(i, "bytes apart from the source's", `byte ${shared} in both`);
}

function refuse(i: number, expected: string, got: string): never {
  throw new BindingError(`target of move ${i}`, expected, got);
}

/** Blocks of the elements that a range touches, at most: a dense side has one. */
function blocksOf(layout: Layout, { first, length }: Binding): number {
  if (isDenseLayout(layout)) return 1;
  const { sizeBytes, root } = layout;
  return (Math.floor((first + length - 1) / sizeBytes) - Math.floor(first / sizeBytes) + 1) * root.blockCount;
}

const ADDRESSES = Object.freeze({});

/** Where a buffer's byte 0 lies. */
function baseOf({ address, bytes }: Buffer): { readonly space: object; readonly startBytes: number } {
  return address === undefined && bytes !== undefined
    ? { space: bytes.buffer, startBytes: bytes.byteOffset }
    : { space: ADDRESSES, startBytes: address ?? 0 };
}

/** All that a range reaches, in each region that has some of it. */
function reachIn(layout: Layout, { memory, originBytes }: Span, range: Binding): readonly Stretch[] {
  const reach = reachOf(layout, range);
  const regions = isAddressSpace(memory) ? memory.regions : [{ startBytes: 0, buffer: memory }];
  return regions.flatMap(({ startBytes, buffer }) => {
    const base = baseOf(buffer);
    const low = Math.max(0, originBytes + reach.lowBytes - startBytes);
    const high = Math.min(buffer.sizeBytes, originBytes + reach.highBytes - startBytes);
    return low < high ? [{ space: base.space, low: base.startBytes + low, high: base.startBytes + high }] : [];
  });
}

function blocksIn(layout: Layout, { memory, originBytes }: Span, range: Binding): readonly Stretch[] {
  const blocks: Stretch[] = [];
  forEachRun(layout, range, (offsetBytes, lengthBytes) => {
    const region = regionAt(memory, originBytes + offsetBytes);
    if (region === undefined) return;
    const { space, startBytes } = baseOf(region.buffer);
    const low = startBytes + originBytes - region.startBytes + offsetBytes;
    blocks.push({ space, low, high: low + lengthBytes });
  });
  return blocks;
}

/** The first byte that both lists have, by a sweep over each space in the order of addresses. */
function firstShared(sources: readonly Stretch[], targets: readonly Stretch[]): number | undefined {
  for (const space of new Set(sources.map((each) => each.space))) {
    const marked = [...sources.map((each) => ({ ...each, side: 0 })), ...targets.map((each) => ({ ...each, side: 1 }))];
    const ends: [number, number] = [-Infinity, -Infinity];
    for (const { low, high, side } of marked.filter((each) => each.space === space).sort((a, b) => a.low - b.low)) {
      const other = side === 0 ? 1 : 0;
      if (low < ends[other]) return low;
      if (side === 0) ends[0] = Math.max(ends[0], high);
      else ends[1] = Math.max(ends[1], high);
    }
  }
  return undefined;
}
