import { blockList, blocksIn } from "./block-list.js";
import { equalBlocks } from "./equal-blocks.js";
import { BY_COPIES, level, type Level } from "./level.js";
import { loadedDame, requireLoaded, type LoadedDame } from "./load-dame.js";
import { postOrder } from "./post-order.js";

/** Blocks in one flattened leaf at most: its table stays in the first-level cache. */
const LEAF_BLOCKS = 512;
/** A loop around more blocks than this gains nothing: one inner loop is long enough to pay for entering it. */
const SMALL_BLOCKS = 128;
/** Nor does one around runs as long as this, on average. */
const SHORT_RUN_BYTES = 128;

/**
 * Makes a program that moves the same bytes in the same order by fewer, longer inner loops: a loop around a few short
 * blocks becomes one leaf that lists the blocks of many iterations, as section 3.3 of Prabhu and Gropp (2017) proposes
 * for pack buffers, and blocks that are nearly all equal become equal. A trace of such a state names the outermost
 * primitive of each leaf. Throws a DameError for what is no loaded program.
 */
export function flattenDame(loaded: LoadedDame): LoadedDame {
  requireLoaded(loaded);
  const flat = new Map<Level, Level>();
  for (const original of postOrder(loaded.root)) flat.set(original, flattened(relinked(original, flat)));
  return loadedDame({ ...loaded, root: flat.get(loaded.root) as Level });
}

function relinked(original: Level, flat: ReadonlyMap<Level, Level>): Level {
  if (original.leaf) return original;
  const { child, members } = original;
  return level({
    ...original,
    child: child && flat.get(child),
    members: members?.map((member) => flat.get(member) as Level),
  });
}

function flattened(loop: Level): Level {
  if (loop.leaf) return equalBlocks(loop) ?? loop;
  return (loop.count === BY_COPIES ? undefined : wholeList(loop)) ?? tiled(loop);
}

function wholeList(loop: Level): Level | undefined {
  const list = blockList(loop, loop.count, LEAF_BLOCKS);
  if (list === undefined) return undefined;
  const bytes = list.starts === undefined ? list.count * list.stepBytes : (list.starts[list.count] as number);
  return isWorth(list.count / loop.count, bytes / loop.count) ? list : undefined;
}

/** The loop over as many iterations at a time as one leaf can list; the last leaf uses what it needs of the list. */
function tiled(loop: Level): Level {
  const { child, blocklength, stepBytes, strideBytes } = loop;
  if (!child?.leaf || loop.displacementsBytes !== undefined) return loop;
  const blocks = blocksIn(child, blocklength);
  const tile = Math.floor(LEAF_BLOCKS / blocks);
  if (!isWorth(blocks, stepBytes) || tile < 2) return loop;
  const list = blockList(loop, tile, LEAF_BLOCKS) as Level;
  return level({
    ...loop,
    tile,
    blocklength: list.count / tile, // empty blocks are in no list
    strideBytes: tile * strideBytes,
    stepBytes: tile * stepBytes,
    child: level({ ...list, count: BY_COPIES }),
  });
}

const isWorth = (blocks: number, bytes: number): boolean =>
  blocks > 0 && blocks <= SMALL_BLOCKS && bytes < blocks * SHORT_RUN_BYTES;
