import type { Message } from "./message.js";

/** How a launch is cut into blocks. */
export interface Shape {
  readonly threads: number;
  readonly unroll: number;
  readonly blocks: number;
  readonly maxThreads: number;
  readonly tiles: number;
  /** The first tile of each message. */
  readonly firstTiles: readonly number[];
}

export interface ShapeOptions {
  readonly threads: number | "fitting";
  readonly unroll: number | "fitting";
  readonly multiprocessors: number;
  readonly smBudget: number | undefined;
}

/** A warp: the bytes around a message's words take up to 30 threads. */
const LEAST_THREADS = 32;
const LARGEST_BLOCK = 1024;

/**
 * Tiles of threads × unroll words. Where that leaves multiprocessors idle, threads take one word each, and blocks
 * become smaller. A budget of n multiprocessors is n blocks of the largest size: each has a multiprocessor at most.
 */
export function shapeOf(messages: readonly Message[], options: ShapeOptions): Shape {
  const { multiprocessors, smBudget } = options;
  const threads = threadsFor(messages.length, options.threads);
  const unroll = options.unroll === "fitting" ? unrollFor(messages) : options.unroll;
  if (smBudget !== undefined) {
    const shape = cutInto(messages, LARGEST_BLOCK, unroll);
    return { ...shape, maxThreads: LARGEST_BLOCK, blocks: Math.min(shape.tiles, smBudget) };
  }
  const words = messages.reduce((sum, message) => sum + message.words, 0);
  const enough = multiprocessors * threads * unroll;
  const chosen = words >= enough ? unroll : 1;
  const perBlock = words >= enough / unroll ? threads : Math.min(threads, 128);
  const widest = Math.max(...messages.map((message) => message.words));
  const needed = Math.max(LEAST_THREADS, Math.ceil(widest / chosen / LEAST_THREADS) * LEAST_THREADS);
  const shape = cutInto(messages, Math.min(perBlock, needed), chosen);
  return { ...shape, maxThreads: threads, blocks: shape.tiles };
}

/** Of one message's blocks; larger ones share out the search for their message. */
export const threadsFor = (messages: number, threads: number | "fitting"): number =>
  threads === "fitting" ? (messages > 1 ? 256 : 128) : threads;

/** Four words a thread keep enough loads in flight to hide the walk; eight share out the search for their message. */
export const USUAL_UNROLL = 4;
const SEVERAL_MESSAGES_UNROLL = 8;
const SHORT_RUN_BYTES = 64;

/**
 * Short runs far apart are bound by memory alone, and by how many pages are touched at a time: with one word a
 * thread, the threads of a moment cover a quarter of the source that they do with four.
 */
function unrollFor(messages: readonly Message[]): number {
  const [only] = messages;
  if (messages.length !== 1 || only === undefined) return SEVERAL_MESSAGES_UNROLL;
  const { source, target } = only.encoded;
  const { strided, meanRunBytes } = source.dense ? target : source;
  return strided && meanRunBytes < SHORT_RUN_BYTES ? 1 : USUAL_UNROLL;
}

function cutInto(messages: readonly Message[], threads: number, unroll: number) {
  let tiles = 0;
  const firstTiles = messages.map(({ words, mode }) => {
    const first = tiles;
    // A thread takes one chunk at a time.
    tiles += Math.max(1, Math.ceil(words / (threads * (typeof mode === "number" ? unroll : 1))));
    return first;
  });
  return { threads, unroll, tiles, firstTiles };
}
