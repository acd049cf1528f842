import { divisionBy } from "./magic.js";
import type { Shape, Transfer } from "./shape.js";

// 8-byte words of one move's record; narrow kernels read the low halves.
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
const FIXED_WORDS = 8;
const DIMENSION_WORDS = 4;
/** Within a dimension's words; the outermost has the stride alone. */
export const DIMENSION = { stride: 0, count: 1, multiplier: 2, shift: 3 } as const;

export const dimensionField = (dimension: number, field: keyof typeof DIMENSION): number =>
  FIXED_WORDS + dimension * DIMENSION_WORDS + DIMENSION[field];

/** Bytes of a record of up to so many dimensions. */
export function recordBytes(dimensions: number): number {
  return 8 * (FIXED_WORDS + (dimensions === 0 ? 0 : (dimensions - 1) * DIMENSION_WORDS + 1));
}

/** Writes a move's record at `offsetBytes`. */
export function writeRecord(
  view: DataView,
  offsetBytes: number,
  { geometry, scatteredAddress, packedAddress, first, length }: Transfer,
  shape: Shape,
  place: { readonly firstTile: number; readonly shapeIndex: number },
): void {
  const { wordBytes, wide } = shape;
  const put = (field: number, value: number | bigint): void =>
    view.setBigUint64(offsetBytes + field * 8, BigInt.asUintN(64, BigInt(value)), true);
  const putDivision = (field: number, divisor: number): void => {
    const { multiplier, shift } = divisionBy(divisor, wide ? 64 : 32);
    put(field, multiplier);
    put(field + 1, shift);
  };
  put(FIELD.packed, packedAddress + first);
  put(FIELD.scattered, scatteredAddress + geometry.startBytes);
  put(FIELD.firstWord, first / wordBytes);
  put(FIELD.words, length / wordBytes);
  view.setUint32(offsetBytes + FIELD.firstTile * 8, place.firstTile, true);
  view.setUint32(offsetBytes + FIELD.firstTile * 8 + 4, place.shapeIndex, true);
  put(FIELD.rowWords, geometry.rowBytes / wordBytes);
  putDivision(FIELD.rowMultiplier, geometry.rowBytes / wordBytes);
  for (const [i, { count, strideBytes }] of geometry.dimensions.entries()) {
    put(dimensionField(i, "stride"), strideBytes);
    if (i === geometry.dimensions.length - 1) break;
    put(dimensionField(i, "count"), count);
    putDivision(dimensionField(i, "multiplier"), count);
  }
}

/** Bytes of the packed stream that one tile moves. */
export const tileBytes = (shape: Shape, threads: number): number => threads * shape.vectorsPerThread * shape.vectorBytes;
