import type { Transfer } from "./transfer.js";

/** How a launch is cut into blocks. */
export interface Shape {
  readonly threads: number;
  readonly unroll: number;
  readonly blocks: number;
  readonly maxThreads: number;
  readonly tiles: number;
  /** The first tile of each transfer. */
  readonly firstTiles: readonly number[];
}

export interface ShapeOptions {
  readonly threads: number | "fitting";
  readonly unroll: number | "fitting";
  readonly multiprocessors: number;
  readonly smBudget: number | undefined;
}

/** A warp: the bytes around a transfer's words take up to 30 threads. */
const LEAST_THREADS = 32;
const LARGEST_BLOCK = 1024;

/**
 * Tiles of threads × unroll words. Where that leaves multiprocessors idle, threads take one word each, and blocks
 * become smaller. A budget of n multiprocessors is n blocks of the largest size: each has a multiprocessor at most.
 */
export function shapeOf(transfers: readonly Transfer[], options: ShapeOptions): Shape {
  const { multiprocessors, smBudget } = options;
  const threads = threadsFor(transfers.length, options.threads);
  const unroll = options.unroll === "fitting" ? unrollFor(transfers) : options.unroll;
  if (smBudget !== undefined) {
    const shape = cutInto(transfers, LARGEST_BLOCK, unroll);
    return { ...shape, maxThreads: LARGEST_BLOCK, blocks: Math.min(shape.tiles, smBudget) };
  }
  const words = transfers.reduce((sum, transfer) => sum + transfer.words, 0);
  const enough = multiprocessors * threads * unroll;
  const chosen = words >= enough ? unroll : 1;
  const perBlock = words >= enough / unroll ? threads : Math.min(threads, 128);
  const widest = Math.max(...transfers.map((transfer) => transfer.words));
  const needed = Math.max(LEAST_THREADS, Math.ceil(widest / chosen / LEAST_THREADS) * LEAST_THREADS);
  const shape = cutInto(transfers, Math.min(perBlock, needed), chosen);
  return { ...shape, maxThreads: threads, blocks: shape.tiles };
}

/**
 * Threads of a block. A launch of one transfer has small blocks; larger ones share out the search for their transfer.
 */
export const threadsFor = (transfers: number, threads: number | "fitting"): number =>
  threads === "fitting" ? (transfers > 1 ? 256 : 128) : threads;

/** Four words a thread keep enough loads in flight to hide the walk; eight share out the search for their transfer. */
export const USUAL_UNROLL = 4;
const SEVERAL_TRANSFERS_UNROLL = 8;
const SHORT_RUN_BYTES = 64;

/**
 * Short runs far apart are bound by memory alone, and by how many pages are touched at a time: with one word a
 * thread, the threads of a moment cover a quarter of the source that they do with four.
 */
function unrollFor(transfers: readonly Transfer[]): number {
  const [only] = transfers;
  if (transfers.length !== 1 || only === undefined) return SEVERAL_TRANSFERS_UNROLL;
  const { source, target } = only.encoded;
  const { strided, meanRunBytes } = source.dense ? target : source;
  return strided && meanRunBytes < SHORT_RUN_BYTES ? 1 : USUAL_UNROLL;
}

function cutInto(transfers: readonly Transfer[], threads: number, unroll: number) {
  let tiles = 0;
  const firstTiles = transfers.map(({ words, mode }) => {
    const first = tiles;
    // A thread takes one chunk at a time.
    tiles += Math.max(1, Math.ceil(words / (threads * (typeof mode === "number" ? unroll : 1))));
    return first;
  });
  return { threads, unroll, tiles, firstTiles };
}
