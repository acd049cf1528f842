import { forEachRun, type Layout } from "@stowage/ir";
import type { Binding, Span } from "../binding.js";
import { BindingError } from "../errors.js";
import { isAddressSpace, type Buffer } from "../memory.js";
import type { Move } from "../move.js";
import { bufferOriginOf, reachOf } from "../reach.js";
import { regionAt } from "../region-at.js";

/** Blocks, of both sides together, that are compared one by one where the reaches of two sides meet. */
const MOST_BLOCKS = 2 ** 18;

/** Bytes [low, high) of one array buffer, or of the machine's addresses. */
interface Stretch {
  readonly space: object;
  readonly low: number;
  readonly high: number;
}

/**
 * Whether the bytes that a move reads and the bytes that it writes are apart: no order of a copy is right where they
 * are not. Sides whose reaches do not meet are; where they do, as those of two columns of one matrix, every block is
 * looked at, or the move is refused where there are more than 2^18. Memory known by its view alone is compared with
 * other views, memory with an address with other addresses. The binding must have been checked in all else.
 *
 * Throws a BindingError.
 */
export function checkApart(i: number, move: Move, binding: Binding): void {
  if (binding.length === 0) return;
  const whole = [reachIn(move.source, binding.source, binding), reachIn(move.target, binding.target, binding)] as const;
  if (whole[0] !== undefined && whole[1] !== undefined && !meet(whole[0], whole[1])) return;
  if (blocksOf(move, binding) > MOST_BLOCKS)
    refuse(i, "memory whose reach is apart from the source's", "one that meets it");
  const shared = firstShared(
    blocksIn(move.source, binding.source, binding),
    blocksIn(move.target, binding.target, binding),
  );
  if (shared !== undefined) refuse(i, "bytes apart from the source's", `byte ${shared} in both`);
}

function refuse(i: number, expected: string, got: string): never {
  throw new BindingError(`target of move ${i}`, expected, got);
}

const meet = (a: Stretch, b: Stretch): boolean => a.space === b.space && a.low < b.high && b.low < a.high;

const blocksOf = ({ source, target }: Move, { count }: Binding): number =>
  count * (source.root.blockCount + target.root.blockCount);

const ADDRESSES = Object.freeze({});

/** Where a buffer's byte 0 lies. */
function baseOf({ address, bytes }: Buffer): { readonly space: object; readonly startBytes: number } {
  return address === undefined && bytes !== undefined
    ? { space: bytes.buffer, startBytes: bytes.byteOffset }
    : { space: ADDRESSES, startBytes: address ?? 0 };
}

/** All that a range reaches, where one buffer holds it. */
function reachIn(layout: Layout, span: Span, range: Binding): Stretch | undefined {
  const held = bufferOriginOf(layout, span, range);
  if (held === undefined) return undefined;
  const { space, startBytes } = baseOf(held.buffer);
  const { lowBytes, highBytes } = reachOf(layout, range);
  const origin = startBytes + held.originBytes;
  return { space, low: origin + lowBytes, high: origin + highBytes };
}

function blocksIn(layout: Layout, { memory, originBytes }: Span, range: Binding): readonly Stretch[] {
  const blocks: Stretch[] = [];
  forEachRun(layout, range, (offsetBytes, lengthBytes) => {
    const region = isAddressSpace(memory)
      ? regionAt(memory, originBytes + offsetBytes)
      : { startBytes: 0, buffer: memory };
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
