import { boxBytes, type Dimension, type Box } from "@stowage/ir";
import type { Transfer } from "./transfer.js";

/** Threads of a block that moves tiles of a transpose. */
export const TRANSPOSE_THREADS = 256;
/** A transpose pays where neighbours in memory share a sector of L2, and neighbours in the packed order do not. */
const SECTOR_BYTES = 32;
const CACHE_LINE_BYTES = 128;
const BANK_BYTES = 4;
const WORDS: readonly number[] = [1, 2, 4, 8, 16];
const FEWEST_WORDS = 32;
/** A tile must be so full on average; where it is less, the direct kernel does as well. */
const LEAST_FILLED = 0.25;

/** Words along each edge of a square tile: a cache line of them, and no fewer than a warp has threads. */
export const tileEdge = (wordBytes: number): number => Math.max(FEWEST_WORDS, CACHE_LINE_BYTES / wordBytes);

/** From one row of a tile to the next in shared memory: an access more, lest columns fall into one bank. */
export const tilePitchBytes = (wordBytes: number): number =>
  tileEdge(wordBytes) * wordBytes + Math.max(BANK_BYTES, wordBytes);

/** What the indices of a kernel of tiles hold: words of either side, and strides in bytes. */
const [MOST_WORDS, MOST_STRIDE_BYTES] = [2 ** 32, 2 ** 31];

/**
 * The dimension along which memory should be read where packed order runs along another, far strided one; undefined
 * where there is none. Rows must be single words.
 */
export function alongDimension({ rowBytes, dimensions }: Box, wordBytes: number): number | undefined {
  return WORDS.includes(wordBytes) && rowBytes === wordBytes ? alongOf(dimensions, wordBytes) : undefined;
}

function alongOf(dimensions: readonly Dimension[], wordBytes: number): number | undefined {
  const [across] = dimensions;
  const distances = dimensions.map(({ strideBytes }) => Math.abs(strideBytes));
  const nearest = Math.min(...distances);
  if (across === undefined || Math.abs(across.strideBytes) < SECTOR_BYTES || nearest >= SECTOR_BYTES) return undefined;
  const along = distances.indexOf(nearest);
  const edge = tileEdge(wordBytes);
  return filled(across, edge) * filled(dimensions[along] as Dimension, edge) < LEAST_FILLED ? undefined : along;
}

const filled = ({ count }: Dimension, edge: number): number => count / (Math.ceil(count / edge) * edge);

/** A dimension with how many words apart its elements lie on the packed side, or of a copy in its target. */
export interface PackedDimension extends Dimension {
  readonly packedWords: number;
}

/** The tiled form of a whole object. */
export interface Tiling {
  /** The first lies word by word on the packed side. */
  readonly dimensions: readonly PackedDimension[];
  /** The index of the one along which the scattered side is walked. */
  readonly along: number;
}

/** How a transfer goes through shared memory; undefined where it does not, or is no whole object. */
export function tilingOf(transfer: Transfer, wordBytes: number): Tiling | undefined {
  const { box, first, length, target } = transfer;
  if (first !== 0 || length !== boxBytes(box)) return undefined;
  const dimensions = target === undefined ? packedDimensions(box) : copiedDimensions(transfer, wordBytes);
  if (dimensions === undefined || (target === undefined && box.rowBytes !== wordBytes)) return undefined;
  if (!WORDS.includes(wordBytes) || !dimensions.every(isHeld) || reachOf(dimensions) > MOST_WORDS) return undefined;
  const along = alongOf(dimensions, wordBytes);
  return along === undefined ? undefined : { dimensions, along };
}

const isHeld = ({ count, strideBytes }: Dimension): boolean =>
  count < MOST_STRIDE_BYTES && Math.abs(strideBytes) < MOST_STRIDE_BYTES;

const reachOf = (dimensions: readonly PackedDimension[]): number =>
  dimensions.reduce((sum, { count, packedWords }) => sum + (count - 1) * packedWords, 1);

function packedDimensions({ dimensions }: Box): readonly PackedDimension[] {
  let packedWords = 1;
  return dimensions.map((dimension): PackedDimension => {
    const own = { ...dimension, packedWords };
    packedWords *= dimension.count;
    return own;
  });
}

/**
 * The dimensions that both sides of a copy have once each is cut where the other is, nearest words of the target first;
 * undefined where they cannot be cut alike, or the target has no rows of words.
 */
function copiedDimensions({ box, target }: Transfer, wordBytes: number): readonly PackedDimension[] | undefined {
  if (target === undefined || target.first !== 0 || boxBytes(target.box) !== boxBytes(box)) return undefined;
  const [source, into] = [stepsOf(box, wordBytes), stepsOf(target.box, wordBytes)];
  const cut: PackedDimension[] = [];
  for (let [a, b] = [source.shift(), into.shift()]; a !== undefined && b !== undefined;) {
    const count = Math.min(a.count, b.count);
    if (a.count % count !== 0 || b.count % count !== 0) return undefined;
    cut.push({ count, strideBytes: a.strideBytes, packedWords: b.strideBytes / wordBytes });
    [a, b] = [behind(a, count) ?? source.shift(), behind(b, count) ?? into.shift()];
  }
  cut.sort((a, b) => a.packedWords - b.packedWords);
  return cut[0]?.packedWords === 1 ? cut : undefined;
}

/** A box as dimensions of single words. */
const stepsOf = ({ rowBytes, dimensions }: Box, wordBytes: number): Dimension[] =>
  [{ count: rowBytes / wordBytes, strideBytes: wordBytes }, ...dimensions].filter(({ count }) => count > 1);

/** What is left of a dimension once its nearest elements are taken for one. */
const behind = ({ count, strideBytes }: Dimension, taken: number): Dimension | undefined =>
  count === taken ? undefined : { count: count / taken, strideBytes: strideBytes * taken };

/** A transpose as its two dimensions and those it repeats along. */
export interface Transpose {
  readonly across: Dimension;
  readonly along: PackedDimension;
  readonly repeats: readonly PackedDimension[];
}

/** The transpose of a transfer that has a tiling of these words. */
export function transposeOf(transfer: Transfer, wordBytes: number): Transpose {
  const { dimensions, along } = tilingOf(transfer, wordBytes) as Tiling;
  return {
    across: dimensions[0] as PackedDimension,
    along: dimensions[along] as PackedDimension,
    repeats: dimensions.filter((_, i) => i !== 0 && i !== along),
  };
}

/** Tiles of one plane, across and along, and of all of them. */
export function tilesOfTranspose({ across, along, repeats }: Transpose, wordBytes: number) {
  const edge = tileEdge(wordBytes);
  const [acrossTiles, alongTiles] = [Math.ceil(across.count / edge), Math.ceil(along.count / edge)];
  const planes = repeats.reduce((product, { count }) => product * count, 1);
  return { acrossTiles, alongTiles, tiles: acrossTiles * alongTiles * planes };
}
