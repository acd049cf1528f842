import { Assembler, general, rax } from "@stowage/asm-x64";
import type { LayoutNode, Stream } from "@stowage/ir";
import { PAGE_BYTES } from "../page.js";
import { LINE_BYTES, sharesSets, WAY_BYTES, WAYS } from "./cache.js";
import type { Emitter } from "./emitter.js";
import { isPrefetched, reachesFar } from "./prefetch.js";

/** How a loop walks short blocks that lie far apart; measured in docs/x64.md, "Strides". */
export interface Pace {
  /** Blocks of a round. */
  readonly blocks: number;
  /** Whether each block waits until the stores of those before it are done. */
  readonly fenced?: true;
  /** Instructions that do nothing behind each block: the processor's window then holds fewer blocks (`idleBehind`). */
  readonly idle?: number;
  /** Whether blocks to pack are prefetched. */
  readonly prefetched?: true;
}

const isShort = ({ child }: Stream): boolean =>
  child.kind === "dense" && child.lengthBytes > 0 && child.lengthBytes <= LINE_BYTES;

/**
 * The pace of blocks whose lines share one or two sets of the first cache, or that lie in more pages than the processor
 * keeps addresses of; undefined of others. The prefetcher follows one instruction that walks them, but not eight. Lines that
 * are fetched ahead of their turn evict each other where they are more than a set has ways: fences keep stores
 * few, idle instructions loads.
 */
export function paceOf(e: Emitter, node: Stream): Pace | undefined {
  const { strideBytes, count } = node;
  if (!isShort(node)) return undefined;
  if (isFenced(e, node)) return fencedStores(strideBytes, count);
  if (e.streaming?.what === "spaced" && isPageApart(e, node))
    return sharesSets(strideBytes) ? ONE_BY_ONE : PAGE_BY_PAGE;
  const idle = idleInSets(e, node);
  if (idle > 0) return { blocks: 1, idle };
  return e.tuning.pacedStrides && sharesSets(strideBytes) && isCached(count) ? ONE_BY_ONE : undefined;
}

const ONE_BY_ONE: Pace = { blocks: 1 };

/** More lie in memory, where waiting costs most. */
const MOST_WAITED_FOR = 16_384;

/** Whether stores to so many lines so far apart wait for those before them. */
export const isFenced = (
  { direction, tuning }: Emitter,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.fencedColumns &&
  direction === "unpack" &&
  strideBytes !== 0 &&
  strideBytes % WAY_BYTES === 0 &&
  count <= MOST_WAITED_FOR;

/** The prefetcher follows strides up to here. */
const LONGEST_FOLLOWED_BYTES = 2 * WAY_BYTES;

const fencedStores = (strideBytes: number, count: number): Pace => ({
  blocks: Math.abs(strideBytes) <= LONGEST_FOLLOWED_BYTES && isCached(count) ? 1 : WAYS,
  fenced: true,
});

/** Blocks whose lines fill half of a second cache of 1 MiB. */
const MOST_CACHED = 8192;

/** Elements of a run-time count are a stream of 1 here. */
const isCached = (count: number): boolean => count > 1 && count <= MOST_CACHED;

/** A processor's window of instructions by the lines that it fetches at once: as many instructions should each line have. */
const INSTRUCTIONS_A_LINE = 10;
/** Those that move a short block. */
const INSTRUCTIONS_A_BLOCK = 3;
/** Longest block that is followed by space. */
const SPACED_BYTES = 2 * LINE_BYTES;

/** Whether something stands between short blocks of such a stream, where they lie beyond the caches. */
export const isSpaced = ({ child, strideBytes }: Stream): boolean => idleBeyondCaches(child, strideBytes) > 0;

function idleBeyondCaches(child: LayoutNode, strideBytes: number): number {
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > SPACED_BYTES) return 0;
  const lines = Math.min((child.lengthBytes - 1) / LINE_BYTES + 1, Math.abs(strideBytes) / LINE_BYTES);
  return Math.max(0, Math.round(INSTRUCTIONS_A_LINE * lines) - INSTRUCTIONS_A_BLOCK);
}

/** More pages than an EPYC (3,072) or a Xeon (2,048) keeps addresses of. */
const MANY_PAGES = 4096;

/** Strides from which prefetchers that follow stores are of use. */
const LEAST_STORED_BYTES = 1.5 * PAGE_BYTES;

const PAGE_BY_PAGE: Pace = { blocks: 1, prefetched: true };

function isPageApart({ direction, tuning }: Emitter, { strideBytes, count }: Stream): boolean {
  if (Math.abs(strideBytes) < (direction === "pack" ? PAGE_BYTES : LEAST_STORED_BYTES)) return false;
  return !sharesSets(strideBytes) || (!tuning.fencedColumns && count <= MOST_WAITED_FOR);
}

/** Packed bytes from which blocks of such streams are kept apart: many pages of them, or more than the caches hold. */
export function spacedFromBytes(e: Emitter, streams: readonly Stream[]): number {
  const { spacedPages, spacedBlocks, streamingBytes } = e.tuning;
  const inPages = spacedPages && streams.every((node) => isPageApart(e, node));
  const pagesFromBytes = inPages ? MANY_PAGES * Math.max(...streams.map(({ child }) => child.sizeBytes)) : Infinity;
  return Math.min(pagesFromBytes, spacedBlocks ? streamingBytes : Infinity);
}

/** Bytes of one instruction that does nothing: test rax, rax. */
const IDLE_BYTES = 3;
const IDLE = idleCode(Math.round(INSTRUCTIONS_A_LINE * (SPACED_BYTES / LINE_BYTES + 1)));

function idleCode(count: number): Uint8Array {
  const asm = new Assembler();
  for (let i = 0; i < count; i++) asm.emit(general.test_rm64_r64, [rax, rax]);
  return asm.finish();
}

/** Instructions that stand behind each block of a stream, do nothing, and keep those of later blocks waiting. */
export function idleBehind(e: Emitter, node: Stream): number {
  const space = e.streaming?.what === "spaced" ? idleBeyondCaches(node.child, node.strideBytes) : 0;
  return Math.max(space, paceOf(e, node)?.idle ?? 0);
}

/** Fewer blocks are over before they are in each other's way. */
const FEWEST_IN_SETS = 33;
/** Where all lines share one set of the first cache, and where they share two: measured (docs/x64.md, "Strides"). */
const IDLE_IN_ONE_SET = 14;
const IDLE_IN_TWO_SETS = 5;
/** As many fewer for each further move of a block. */
const IDLE_A_MOVE = 4;

/** Instructions that do nothing behind each load whose lines are as many as the sets that they share have ways, or more; 0: none. */
function idleInSets({ direction, tuning, widest }: Emitter, { child, strideBytes, count }: Stream): number {
  if (!tuning.fencedColumns || direction === "unpack" || !sharesSets(strideBytes)) return 0;
  if (count < FEWEST_IN_SETS || count > MOST_WAITED_FOR) return 0;
  const idle = strideBytes % WAY_BYTES === 0 ? IDLE_IN_ONE_SET : IDLE_IN_TWO_SETS;
  return Math.max(0, idle - IDLE_A_MOVE * (Math.ceil(child.sizeBytes / widest) - 1));
}

/** A round has hundreds of them: encoded each, they would be most of what a commit takes. */
export function emitIdle(e: Emitter, count: number): void {
  if (e.listing) for (let i = 0; i < count; i++) e.emit(general.test_rm64_r64, rax, rax);
  else e.asm.data(IDLE.subarray(0, count * IDLE_BYTES));
}

/** Strides at which each block has a line of its own, and leaves one out. */
const SPARSE_STRIDE_BYTES = 2 * LINE_BYTES;
/** Sparse blocks of a round. */
const SPARSE_BLOCKS = 32;
/** Blocks whose lines fill half of a last cache of 32 MiB. */
const MOST_SPARSE_BLOCKS = 262_144;

/**
 * Rounds of `blocks` blocks that make one long round, where blocks are sparse and lie in the last cache: the processor's
 * prefetchers leave instructions alone that stride by pages. Where we prefetch ourselves, nothing is gained by it.
 */
export function roundsAtOnce(e: Emitter, node: Stream, blocks: number, most: number): number {
  const { strideBytes, count } = node;
  if (!e.tuning.pacedStrides || !isShort(node) || Math.abs(strideBytes) < SPARSE_STRIDE_BYTES) return 1;
  if (sharesSets(strideBytes) || paceOf(e, node) !== undefined) return 1;
  if (
    count === 1 ||
    count > MOST_SPARSE_BLOCKS ||
    !reachesFar(e, node) ||
    isPrefetched(e, node) ||
    most < 2 * SPARSE_BLOCKS
  )
    return 1;
  return Math.max(1, Math.floor(SPARSE_BLOCKS / blocks));
}
