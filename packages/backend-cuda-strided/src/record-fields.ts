// 8-byte words of one move's record; narrow kernels read the low halves. A divisor is a ShortMagic: a multiplier and a
// shift.

/** What all records have; the box follows behind. */
export const FIELD = {
  packed: 0,
  scattered: 1,
  firstWord: 2,
  words: 3,
  /** Low half: the tile that is this move's first in the launch; high half: which shape it has. */
  firstTile: 4,
  rowWords: 5,
  rowMultiplier: 6,
  rowShift: 7,
} as const;
export const FIRST_OF_BOX = FIELD.rowWords;
const FIXED_WORDS = 8;
const DIMENSION_WORDS = 4;
/** Within a dimension's words; the outermost has the stride alone. */
const DIMENSION = { stride: 0, count: 1, multiplier: 2, shift: 3 } as const;

export const dimensionField = (dimension: number, field: keyof typeof DIMENSION): number =>
  FIXED_WORDS + dimension * DIMENSION_WORDS + DIMENSION[field];

/** The bytes of a record of a move of up to so many dimensions. */
export function recordBytes(dimensions: number): number {
  return 8 * (FIXED_WORDS + (dimensions === 0 ? 0 : (dimensions - 1) * DIMENSION_WORDS + 1));
}

/** The box of a transpose; numbers of tiles are each a count and its divisor. */
export const TRANSPOSE_FIELD = {
  acrossCount: FIRST_OF_BOX,
  acrossStride: FIRST_OF_BOX + 1,
  alongCount: FIRST_OF_BOX + 2,
  alongStride: FIRST_OF_BOX + 3,
  alongPacked: FIRST_OF_BOX + 4,
  acrossTiles: FIRST_OF_BOX + 5,
  alongTiles: FIRST_OF_BOX + 8,
} as const;
const TRANSPOSE_WORDS = FIRST_OF_BOX + 11;
/** Within the words of a dimension that a transpose repeats along: count and divisor last. */
const REPEAT = { stride: 0, packed: 1, count: 2 } as const;
const REPEAT_WORDS = 5;

export const repeatField = (repeat: number, field: keyof typeof REPEAT): number =>
  TRANSPOSE_WORDS + repeat * REPEAT_WORDS + REPEAT[field];

/** Bytes of the record of a transpose of so many dimensions, two of which its tiles span. */
export const transposeRecordBytes = (dimensions: number): number =>
  8 * (TRANSPOSE_WORDS + (dimensions - 2) * REPEAT_WORDS);
