import { Assembler, general, rax } from "@stowage/asm-x64";
import type { LayoutNode, Stream } from "@stowage/ir";
import { PAGE_BYTES } from "../page.js";
import { LINE_BYTES, conflictsInSets, WAY_BYTES, WAYS } from "./cache.js";
import type { Emitter } from "./emitter.js";
import { isPrefetched, reachesFar } from "./prefetch.js";

/** How a loop over short blocks far apart is scheduled; measured in docs/x64.md, "Strides". */
export interface LoopSchedule {
  /** Blocks of a round. */
  readonly blocks: number;
  /** Whether each block waits until the stores of those before it are done. */
  readonly fenced?: true;
  /** NOP padding behind each block: the reorder buffer then holds fewer blocks (`nopsBehind`). */
  readonly nops?: number;
  /** Whether blocks to pack are prefetched. */
  readonly prefetched?: true;
}

const isShort = ({ child }: Stream): boolean =>
  child.kind === "dense" && child.lengthBytes > 0 && child.lengthBytes <= LINE_BYTES;

/**
 * The schedule of blocks whose lines conflict in one or two sets of L1d, or whose pages exceed the dTLB's reach; undefined
 * of others. The prefetcher follows one instruction that walks them, but not eight. More outstanding misses than a set has
 * ways evict each other: fences limit outstanding stores, NOP padding limits outstanding loads.
 */
export function scheduleOf(e: Emitter, node: Stream): LoopSchedule | undefined {
  const { strideBytes, count } = node;
  if (!isShort(node)) return undefined;
  if (isFenced(e, node)) return fencedStores(strideBytes, count);
  if (e.outOfCache?.what === "padded" && isPageApart(e, node))
    return conflictsInSets(strideBytes) ? ONE_BY_ONE : PAGE_BY_PAGE;
  const nops = nopsAgainstConflicts(e, node);
  if (nops > 0) return { blocks: 1, nops };
  return e.tuning.longRounds && conflictsInSets(strideBytes) && isCached(count) ? ONE_BY_ONE : undefined;
}

const ONE_BY_ONE: LoopSchedule = { blocks: 1 };

/** More lie in memory, where waiting costs most. */
const MOST_WAITED_FOR = 16_384;

/** Whether each store to so many lines so far apart waits for those before it. */
export const isFenced = (
  { direction, tuning }: Emitter,
  { strideBytes, count }: Pick<Stream, "strideBytes" | "count">,
): boolean =>
  tuning.limitSetConflicts &&
  direction === "unpack" &&
  strideBytes !== 0 &&
  strideBytes % WAY_BYTES === 0 &&
  count <= MOST_WAITED_FOR;

/** The prefetcher follows strides up to here. */
const LONGEST_FOLLOWED_BYTES = 2 * WAY_BYTES;

const fencedStores = (strideBytes: number, count: number): LoopSchedule => ({
  blocks: Math.abs(strideBytes) <= LONGEST_FOLLOWED_BYTES && isCached(count) ? 1 : WAYS,
  fenced: true,
});

/** Blocks whose lines fill half of an L2 of 1 MiB. */
const MOST_CACHED = 8192;

/** Elements of a run-time count are a stream of 1 here. */
const isCached = (count: number): boolean => count > 1 && count <= MOST_CACHED;

/** Entries of the reorder buffer by fill buffers: with so many instructions a line, misses do not exceed the fill buffers. */
const INSTRUCTIONS_A_LINE = 10;
/** Those that move a short block. */
const INSTRUCTIONS_A_BLOCK = 3;
/** Longest block that is followed by NOP padding. */
const LONGEST_PADDED_BYTES = 2 * LINE_BYTES;

/** Whether short blocks of such a stream have NOP padding between them out of cache. */
export const isPadded = ({ child, strideBytes }: Stream): boolean => nopsOutOfCache(child, strideBytes) > 0;

function nopsOutOfCache(child: LayoutNode, strideBytes: number): number {
  if (child.kind !== "dense" || child.lengthBytes === 0 || child.lengthBytes > LONGEST_PADDED_BYTES) return 0;
  const lines = Math.min((child.lengthBytes - 1) / LINE_BYTES + 1, Math.abs(strideBytes) / LINE_BYTES);
  return Math.max(0, Math.round(INSTRUCTIONS_A_LINE * lines) - INSTRUCTIONS_A_BLOCK);
}

/** Pages past the dTLB's reach: an EPYC has 3,072 entries, a Xeon 2,048. */
const MANY_PAGES = 4096;

/** Strides from which prefetchers that follow stores are of use. */
const LEAST_STORED_BYTES = 1.5 * PAGE_BYTES;

const PAGE_BY_PAGE: LoopSchedule = { blocks: 1, prefetched: true };

function isPageApart({ direction, tuning }: Emitter, { strideBytes, count }: Stream): boolean {
  if (Math.abs(strideBytes) < (direction === "pack" ? PAGE_BYTES : LEAST_STORED_BYTES)) return false;
  return !conflictsInSets(strideBytes) || (!tuning.limitSetConflicts && count <= MOST_WAITED_FOR);
}

/** Packed bytes from which blocks of such streams have NOP padding: past the dTLB's reach, or past the caches. */
export function paddedFromBytes(e: Emitter, streams: readonly Stream[]): number {
  const { paddedPages, paddedBlocks, nonTemporalBytes } = e.tuning;
  const inPages = paddedPages && streams.every((node) => isPageApart(e, node));
  const pagesFromBytes = inPages ? MANY_PAGES * Math.max(...streams.map(({ child }) => child.sizeBytes)) : Infinity;
  return Math.min(pagesFromBytes, paddedBlocks ? nonTemporalBytes : Infinity);
}

/** Bytes of one instruction of the padding: test rax, rax. */
const NOP_BYTES = 3;
const NOPS = nopCode(Math.round(INSTRUCTIONS_A_LINE * (LONGEST_PADDED_BYTES / LINE_BYTES + 1)));

function nopCode(count: number): Uint8Array {
  const asm = new Assembler();
  for (let i = 0; i < count; i++) asm.emit(general.test_rm64_r64, [rax, rax]);
  return asm.finish();
}

/** NOP padding behind each block of a stream: it keeps later blocks out of the reorder buffer. */
export function nopsBehind(e: Emitter, node: Stream): number {
  const space = e.outOfCache?.what === "padded" ? nopsOutOfCache(node.child, node.strideBytes) : 0;
  return Math.max(space, scheduleOf(e, node)?.nops ?? 0);
}

/** Fewer blocks are over before they are in each other's way. */
const FEWEST_CONFLICTING = 33;
/** Where all lines conflict in one set of L1d, and in two: measured (docs/x64.md, "Strides"). */
const NOPS_IN_ONE_SET = 14;
const NOPS_IN_TWO_SETS = 5;
/** As many fewer for each further move of a block. */
const NOPS_A_MOVE = 4;

/** NOP padding behind each load where the lines are as many as the ways of the sets they conflict in, or more; 0: none. */
function nopsAgainstConflicts({ direction, tuning, widest }: Emitter, { child, strideBytes, count }: Stream): number {
  if (!tuning.limitSetConflicts || direction === "unpack" || !conflictsInSets(strideBytes)) return 0;
  if (count < FEWEST_CONFLICTING || count > MOST_WAITED_FOR) return 0;
  const nops = strideBytes % WAY_BYTES === 0 ? NOPS_IN_ONE_SET : NOPS_IN_TWO_SETS;
  return Math.max(0, nops - NOPS_A_MOVE * (Math.ceil(child.sizeBytes / widest) - 1));
}

/** Copied, not encoded: a round has hundreds, which would be most of a commit's time. */
export function emitNops(e: Emitter, count: number): void {
  if (e.listing) for (let i = 0; i < count; i++) e.emit(general.test_rm64_r64, rax, rax);
  else e.asm.data(NOPS.subarray(0, count * NOP_BYTES));
}

/** Strides at which each block has a line of its own, and leaves one out. */
const SPARSE_STRIDE_BYTES = 2 * LINE_BYTES;
/** Sparse blocks of a round. */
const SPARSE_BLOCKS = 32;
/** Blocks whose lines fill half of an LLC of 32 MiB. */
const MOST_SPARSE_BLOCKS = 262_144;

/**
 * Rounds of `blocks` blocks that make one long round, where blocks are sparse and lie in the LLC: the hardware prefetchers
 * ignore instructions that stride by pages. With software prefetches nothing is gained by it.
 */
export function roundsAtOnce(e: Emitter, node: Stream, blocks: number, most: number): number {
  const { strideBytes, count } = node;
  if (!e.tuning.longRounds || !isShort(node) || Math.abs(strideBytes) < SPARSE_STRIDE_BYTES) return 1;
  if (conflictsInSets(strideBytes) || scheduleOf(e, node) !== undefined) return 1;
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
