import type { Dimension, Box } from "@stowage/ir";

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

/**
 * The dimension along which memory should be read where packed order runs along another, far strided one; undefined
 * where there is none. Rows must be single words.
 */
export function alongDimension({ rowBytes, dimensions }: Box, wordBytes: number): number | undefined {
  const [across] = dimensions;
  if (
    !WORDS.includes(wordBytes) ||
    rowBytes !== wordBytes ||
    across === undefined ||
    Math.abs(across.strideBytes) < SECTOR_BYTES
  )
    return undefined;
  const distances = dimensions.map(({ strideBytes }) => Math.abs(strideBytes));
  const nearest = Math.min(...distances);
  if (nearest >= SECTOR_BYTES) return undefined;
  const along = distances.indexOf(nearest);
  const edge = tileEdge(wordBytes);
  return filled(across, edge) * filled(dimensions[along] as Dimension, edge) < LEAST_FILLED ? undefined : along;
}

const filled = ({ count }: Dimension, edge: number): number => count / (Math.ceil(count / edge) * edge);

/** A transpose as its two dimensions and those it repeats along, with packed strides in words. */
export interface Transpose {
  readonly across: Dimension;
  readonly along: PackedDimension;
  readonly repeats: readonly PackedDimension[];
}

export interface PackedDimension extends Dimension {
  readonly packedWords: number;
}

export function transposeOf({ dimensions }: Box, along: number): Transpose {
  let packedWords = 1;
  const packed = dimensions.map((dimension): PackedDimension => {
    const own = { ...dimension, packedWords };
    packedWords *= dimension.count;
    return own;
  });
  return {
    across: packed[0] as PackedDimension,
    along: packed[along] as PackedDimension,
    repeats: packed.filter((_, i) => i !== 0 && i !== along),
  };
}

/** Tiles of one plane, across and along, and of all of them. */
export function tilesOfTranspose({ across, along, repeats }: Transpose, wordBytes: number) {
  const edge = tileEdge(wordBytes);
  const [acrossTiles, alongTiles] = [Math.ceil(across.count / edge), Math.ceil(along.count / edge)];
  const planes = repeats.reduce((product, { count }) => product * count, 1);
  return { acrossTiles, alongTiles, tiles: acrossTiles * alongTiles * planes };
}
